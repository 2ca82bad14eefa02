package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.WindowsNames;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files with names that a system takes for something else. Here they are names like all others. */
@EnabledOnOs(OS.LINUX)
class WebNamesTest {

    private static final List<String> OF_NO_SYSTEM = List.of("/files/back\\slash", "/files/back%5cslash",
            "/files/back%5Cslash", "/..%5cfiles/plain", "/files%5c..%5cfiles/plain", "/files/control%01",
            "/files/control%7f", "/files/plain%00", "/files/plain%00.txt", "/..", "/%2e%2e/root/files/plain",
            "/.%2E/root/files/plain", "/files/..%2f..%2froot", "/files/plain%c2%85", "/files/%c0%ae%c0%ae/x");

    @TempDir
    private Path directory;
    private Path root;
    private Path files;

    @BeforeEach
    void fill() throws IOException {
        root = Files.createDirectory(directory.resolve("root"));
        files = Files.createDirectory(root.resolve("files"));
        Files.writeString(files.resolve("plain"), "old");
        Files.writeString(files.resolve("back\\slash"), "old");
        Files.writeString(files.resolve("control\1"), "old");
        for (String name : WindowsNames.ALL) {
            Files.writeString(files.resolve(name), "old");
            Files.createDirectories(root.resolve("parents").resolve(name));
            Files.writeString(root.resolve("parents").resolve(name).resolve("plain"), "old");
        }
    }

    private SampleCommand command(WebDriver driver) {
        return SampleCommand.of(driver.command("--root", root.toString(), "--put", "/", "--listing"));
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    @Tag(Depth.IN_QUICK)
    void refusesNamesThatWindowsTakesForOthers(WebDriver driver) throws Exception {
        expect(command(driver).startWithWindowsNames(), 404, 404, 404, 409, "old");
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void servesThemElsewhere(WebDriver driver) throws Exception {
        expect(command(driver).start(), 200, 206, 304, 204, "new");
    }

    private void expect(RunningSample process, int found, int part, int unchanged, int replaced, String content)
            throws Exception {
        try (WebSample web = WebSample.of(process); HttpClientSocket client = web.connect()) {
            assertEquals(200, client.get("/files/plain").receive().status());
            for (String target : OF_NO_SYSTEM) {
                assertEquals(400, client.get(target).receive().status(), target);
            }
            for (String name : WindowsNames.ALL) {
                for (String prefix : List.of("/files/", "/parents/")) {
                    String target = prefix + WindowsNames.encoded(name) + (prefix.equals("/files/") ? "" : "/plain");
                    assertEquals(found, client.get(target).receive().status(), target);
                    assertEquals(part, client.get(target, "Range: bytes=1-1").receive().status(), target);
                    assertEquals(unchanged, client.get(target, "If-None-Match: *").receive().status(), target);
                    client.send(HttpClientSocket.request("HEAD", target));
                    assertEquals(found, statusOf(client.receiveHead()), target);
                    client.send(HttpClientSocket.request("PUT", target, "Content-Length: 3") + "new");
                    assertEquals(replaced, client.receive().status(), target);
                }
                String parent = "/parents/" + WindowsNames.encoded(name);
                assertEquals(found == 200 ? 301 : 404, client.get(parent).receive().status(), parent);
                assertEquals(found, client.get(parent + "/").receive().status(), parent);
                assertEquals(content, Files.readString(files.resolve(name)), name);
                assertEquals(content, Files.readString(root.resolve("parents").resolve(name).resolve("plain")), name);
            }
            String page = new String(client.get("/files/").receive().content(), US_ASCII);
            assertEquals(found == 200 ? WindowsNames.ALL.stream().filter(name -> !name.startsWith(".")).count() + 1 : 1,
                    page.split("<a href=\"\\./", -1).length - 1, page);
            assertFalse(page.contains("slash") || page.contains("control"), page);
            client.hangUp();
            web.stop();
        }
    }

    private static int statusOf(String head) {
        return new HttpClientSocket.Received(head, new byte[0]).status();
    }
}
