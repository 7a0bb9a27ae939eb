"""What is read off a type is what every hand of the type would see."""
