"""The part of WebDriver (https://www.w3.org/TR/webdriver2/) that the tests of pages need, with what Debian has at hand."""

import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request


BEHIND_THE_PICTURE = "const done = arguments[0]; requestAnimationFrame(() => setTimeout(() => setTimeout(done)))"


def missing():
    """What has to be installed, or None."""
    programs = {"chromium": "chromium", "chromedriver": "chromium-driver"}
    packages = [package for program, package in programs.items() if shutil.which(program) is None]
    return " ".join(packages) or None


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Browser:
    """A headless Chromium that loads files and nothing from a network."""

    arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1",
                 "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND"]

    def __init__(self):
        self.port = free_port()
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        self.await_driver()
        options = {"args": self.arguments}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/session/{session['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.call("DELETE", self.session)
        self.driver.terminate()
        self.driver.wait()

    def await_driver(self):
        for _ in range(100):
            try:
                if self.call("GET", "/status")["ready"]:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise RuntimeError("chromedriver does not answer")

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"},
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as failure:
            raise RuntimeError(json.load(failure)["value"]["message"]) from failure

    def devtools(self, command, **parameters):
        return self.call("POST", f"{self.session}/goog/cdp/execute", {"cmd": command, "params": parameters})

    def show(self, width, height, dark=False, reduced=False, media="screen"):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"}]
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.devtools("Emulation.setEmulatedMedia", media=media, features=features)

    def open(self, path):
        """Seconds until the page was there, with what it draws behind its first picture."""
        start = time.monotonic()
        self.call("POST", f"{self.session}/url", {"url": f"file://{path}"})
        self.call("POST", f"{self.session}/execute/async", {"script": BEHIND_THE_PICTURE, "args": []})
        return time.monotonic() - start

    def run(self, script, *arguments):
        return self.call("POST", f"{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, key, shift=False):
        """A key, as the keyboard gives it: its name in DOM."""
        codes = {" ": ("Space", 32), "ArrowRight": ("ArrowRight", 39), "ArrowLeft": ("ArrowLeft", 37), "Home": ("Home", 36),
                 "End": ("End", 35), "Tab": ("Tab", 9)}
        code, number = codes[key]
        event = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": 8 if shift else 0}
        self.devtools("Input.dispatchKeyEvent", type="keyDown", **event)
        self.devtools("Input.dispatchKeyEvent", type="keyUp", **event)

    def drag(self, start, end):
        for kind, (x, y) in (("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end)):
            self.devtools("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def picture(self, path, whole=True):
        shot = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def paper(self, path):
        sheet = self.devtools("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=True)
        path.write_bytes(base64.b64decode(sheet["data"]))

    def messages(self):
        """What the console has said since the last call."""
        return [f"{entry['level']} {entry['message']}" for entry in
                self.call("POST", f"{self.session}/se/log", {"type": "browser"})]
