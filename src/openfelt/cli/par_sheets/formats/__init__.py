"""The formats of a par sheet: Markdown, HTML, PDF and workbook, and the charts in them."""
