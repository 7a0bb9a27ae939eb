"""Events of the house's own records, such as alerts, disputes and archives. They move no money."""
