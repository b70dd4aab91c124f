"""Logarithmic axes of the diagrams of measurements."""
import math


class Axes:
    """Maps x (decades from first to last) and y (from low to high) to the box (left, right, top, bottom) of a figure."""

    def __init__(self, figure, box, decades_x, decades_y):
        self.figure, self.box, self.decades_x, self.decades_y = figure, box, decades_x, decades_y

    def place(self, x, y):
        left, right, top, bottom = self.box
        first, last = self.decades_x
        low, high = self.decades_y
        across = (math.log10(x) - first) / (last - first)
        return left + across * (right - left), bottom - (math.log10(y) - low) / (high - low) * (bottom - top)

    def grid(self, marks_x, label_x):
        """Lines and labels at the decades marks_x and at all decades of y."""
        left, right, top, bottom = self.box
        low, high = self.decades_y
        for k in marks_x:
            x = self.place(10.0**k, 10.0**low)[0]
            self.figure.line(x, top, x, bottom, "faint", 0.5)
            self.figure.text(x, bottom + 20, label_x(k), "note small")
        for k in range(low, high + 1):
            y = self.place(10.0 ** self.decades_x[0], 10.0**k)[1]
            self.figure.line(left, y, right, y, "faint", 0.5)
            self.figure.text(left - 8, y + 5, f"{10.0**k:g}", "note small", "end")

    def name_ends(self, ends):
        """Words (y, x, style, words) at the right, apart from each other, with lines to the ends of their curves."""
        _, right, top, _ = self.box
        lowest = top - 8
        for y, x, style, words in sorted(ends):
            lowest = max(y + 4, lowest + 15)
            self.figure.line(x, y, right + 8, lowest - 4, "faint", 0.6, "1 3")
            self.figure.text(right + 12, lowest, words, {"ink": "note", "red": "redText", "blue": "blueText"}[style] + " small", "start")
