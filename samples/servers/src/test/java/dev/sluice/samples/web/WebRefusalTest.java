package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.JarredClassPath;
import dev.sluice.samples.Patience;
import dev.sluice.samples.Programs;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the server answers when the system refuses it a file: forever, or just now. */
@EnabledOnOs(OS.LINUX)
class WebRefusalTest {

    /** With these two capabilities the superuser may read and write everything; without them, as any other user. */
    private static final String WITHOUT_PRIVILEGES =
            "set -- setpriv --bounding-set=-dac_override,-dac_read_search \"$@\"";
    private static final int DESCRIPTORS = 1000;

    @TempDir
    private Path directory;
    private Path root;

    @BeforeEach
    void fill() throws IOException {
        root = Files.createDirectory(directory.resolve("root"));
        Files.createDirectory(root.resolve("inbox"));
        Files.createDirectory(root.resolve("closed"));
        Files.writeString(root.resolve("kept.txt"), "kept");
        Files.writeString(root.resolve("new.txt"), "new");
        Files.writeString(root.resolve("private.txt"), "private");
        Files.writeString(root.resolve("closed/in.txt"), "in");
        Files.writeString(root.resolve("inbox/old.txt"), "old");
    }

    @AfterEach
    void open() throws IOException {
        for (String each : List.of("inbox", "closed")) {
            permit(each, "rwx------");
        }
    }

    private void permit(String path, String permissions) throws IOException {
        Files.setPosixFilePermissions(root.resolve(path), PosixFilePermissions.fromString(permissions));
    }

    private SampleCommand command(WebDriver driver) {
        return SampleCommand.of(driver.command("--root", root.toString(), "--put", "/inbox", "--listing"));
    }

    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    void neitherShowsNorWritesWhatItMayNot(WebDriver driver) throws Exception {
        SampleCommand command = command(driver);
        if (Files.getAttribute(root, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(0)) {
            assumeTrue(Programs.has("setpriv"), "no setpriv here");
            command.after(WITHOUT_PRIVILEGES);
        }
        permit("private.txt", "-wx------");
        permit("closed", "---------");
        permit("inbox", "r-x------");
        try (SampleProcess web = command.startProcess(); HttpClientSocket client =
                new HttpClientSocket(web.awaitAddress())) {
            // An unreadable file is reported as absent, as RFC 9110 section 15.5.4 allows.
            assertEquals(404, client.get("/private.txt").receive().status());
            assertEquals(404, client.get("/closed/in.txt").receive().status());
            assertEquals(404, client.get("/closed/none.txt").receive().status());
            for (String target : List.of("/inbox/old.txt", "/inbox/new.txt")) {
                client.send(HttpClientSocket.request("PUT", target, "Content-Length: 3") + "new");
                HttpClientSocket.Received refusal = client.receive();
                assertEquals(403, refusal.status());
                assertFalse(refusal.closes(), refusal.head());
            }
            assertEquals("old", text(client.get("/inbox/old.txt").receive()));
            assertFalse(Files.exists(root.resolve("inbox/new.txt")));
            client.hangUp();
            web.stop();
            assertEquals(2, web.errors().text().lines().filter(line -> line.contains("PUT /inbox/")
                    && line.contains("EACCES")).count(), web.errors()::text);
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    void asksToComeAgainWhileThereIsNoDescriptor(WebDriver driver) throws Exception {
        assumeTrue(Programs.has("prlimit"), "no prlimit here");
        // With no descriptor left, a class could not be loaded from a directory.
        SampleCommand command = command(driver).withClassPath(JarredClassPath.in(directory))
                .after("ulimit -n " + DESCRIPTORS);
        try (SampleProcess web = command.startProcess(); HttpClientSocket client =
                new HttpClientSocket(web.awaitAddress())) {
            assertEquals("kept", text(client.get("/kept.txt").receive()));
            limit(web, 1);
            assertEquals("kept", text(client.get("/kept.txt").receive()));
            // Without a descriptor, nothing says whether a file is there.
            for (String target : List.of("/new.txt", "/closed/", "/none.txt")) {
                HttpClientSocket.Received refusal = client.get(target).receive();
                assertEquals(503, refusal.status(), refusal.head());
                assertFalse(refusal.closes(), refusal.head());
            }
            client.send(HttpClientSocket.request("PUT", "/inbox/old.txt", "Content-Length: 3") + "new");
            assertEquals(503, client.receive().status());
            limit(web, DESCRIPTORS);
            assertEquals(404, client.get("/none.txt").receive().status());
            assertEquals("new", text(client.get("/new.txt").receive()));
            assertEquals(200, client.get("/closed/").receive().status());
            assertEquals("old", text(client.get("/inbox/old.txt").receive()));
            client.hangUp();
            web.stop();
            assertTrue(web.errors().text().contains("EMFILE"), web.errors()::text);
        }
    }

    /** A client that gets an error reply has replaced nothing. */
    @ParameterizedTest
    @MethodSource(WebDriver.ONE)
    void replacesNothingWhenDescriptorsRunOutMeanwhile(WebDriver driver) throws Exception {
        assumeTrue(Programs.has("prlimit"), "no prlimit here");
        SampleCommand command = command(driver).withClassPath(JarredClassPath.in(directory))
                .after("ulimit -n " + DESCRIPTORS);
        try (SampleProcess web = command.startProcess(); HttpClientSocket client =
                new HttpClientSocket(web.awaitAddress())) {
            client.send(HttpClientSocket.request("PUT", "/inbox/old.txt", "Content-Length: 6") + "abc");
            Patience.until("it has begun", () -> names().size() > 1);
            limit(web, 1);
            assertEquals(503, client.send("def").receive().status());
            assertEquals("old", Files.readString(root.resolve("inbox/old.txt")));
            assertEquals(List.of("old.txt"), names());
            limit(web, DESCRIPTORS);
            client.send(HttpClientSocket.request("PUT", "/inbox/old.txt", "Content-Length: 3") + "new");
            assertEquals(204, client.receive().status());
            client.hangUp();
            web.stop();
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(root.resolve("inbox"))) {
            return all.map(each -> each.getFileName().toString()).toList();
        }
    }

    private static void limit(SampleProcess web, int descriptors) throws Exception {
        ExternalProgram prlimit = ExternalProgram.run(List.of("prlimit", "--pid", "" + web.pid(),
                "--nofile=" + descriptors + ":"));
        assertEquals(0, prlimit.exitCode(), prlimit::errors);
    }

    private static String text(HttpClientSocket.Received reply) {
        return new String(reply.content(), US_ASCII);
    }
}
