package dev.sluice.samples.gopher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.FileCalls;
import dev.sluice.samples.Patience;
import dev.sluice.samples.Programs;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SwappedFolder;
import dev.sluice.samples.WindowsNames;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.io.Drivers;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@EnabledOnOs(OS.LINUX)
class GopherTest {

    private static final String END = ".\r\n";

    @TempDir
    private Path directory;

    private GopherSample serve(ConcurrencyStrategy concurrency, String... options) throws IOException {
        return GopherSample.serve(Files.createDirectories(directory.resolve("root")), concurrency, options);
    }

    private Path file(String name) throws IOException {
        Path file = directory.resolve("root").resolve(name);
        Files.createDirectories(file.getParent());
        return file;
    }

    @ParameterizedTest
    @MethodSource(Drivers.STRATEGIES)
    void servesMenusTextsAndFiles(ConcurrencyStrategy concurrency) throws Exception {
        byte[] large = RandomBytes.of(7, 5_000_000);
        String lines = "a\n.\n..b\r\n\n.c".repeat(50_000);
        Files.write(file("large.bin"), large);
        Files.write(file("empty.bin"), new byte[0]);
        Files.writeString(file("empty.txt"), "");
        Files.writeString(file("docs/lines.txt"), lines);
        Files.writeString(file("a tab\tin it.txt"), "never shown");
        Files.writeString(file("a line\r\nend.txt"), "never shown");
        for (String way : new String[] {"transmit", "mmap", "read"}) {
            try (GopherSample gopher = serve(concurrency, "--file-io", way)) {
                InetSocketAddress address = gopher.address();
                String here = "\t" + address.getHostString() + "\t" + address.getPort() + "\r\n";
                assertEquals("1docs\t/docs" + here + "9empty.bin\t/empty.bin" + here + "0empty.txt\t/empty.txt" + here
                        + "9large.bin\t/large.bin" + here + END, gopher.text(""));
                assertEquals("0lines.txt\t/docs/lines.txt" + here + END, gopher.text("docs/\tand a search"));
                assertEquals(stuffed(lines) + "\r\n" + END, gopher.text("/docs/lines.txt"));
                assertEquals(END, gopher.text("/empty.txt"));
                assertEquals(0, gopher.ask("/empty.bin").length);
                assertArrayEquals(large, gopher.ask("/large.bin"));
                gopher.process().stop();
                assertEquals("", gopher.process().errors().text());
            }
        }
    }

    /** By another way than the server's: line by line. */
    private static String stuffed(String text) {
        return text.replaceAll("\r?\n", "\r\n").replaceAll("(?m)^\\.", "..");
    }

    @ParameterizedTest
    @Tag(Depth.IN_QUICK)
    @MethodSource(Drivers.STRATEGIES)
    void refusesWhatLeadsElsewhere(ConcurrencyStrategy concurrency) throws Exception {
        Files.writeString(directory.resolve("secret.txt"), "secret");
        Files.createSymbolicLink(file("link.txt"), directory.resolve("secret.txt"));
        Files.createSymbolicLink(file("up"), directory);
        try (GopherSample gopher = serve(concurrency, "--max-selector", "100", "--access-log", "-")) {
            for (String selector : List.of("../secret.txt", "/../secret.txt", "/x/../../secret.txt", "..\\secret.txt",
                    "/%2e%2e/secret.txt", "/link.txt", "/up/secret.txt", "/up", "/secret.txt\0", "\0", "/.",
                    "x".repeat(101), "x".repeat(200_000))) {
                String reply = gopher.text(selector);
                assertTrue(reply.startsWith("3") && reply.endsWith("\t\terror.host\t1\r\n" + END), reply);
            }
            assertEquals(END, gopher.text("\t$"));
            gopher.process().output().awaitLine("the log", line -> line.contains("\"../secret.txt\" 400 "));
            gopher.process().stop();
            assertEquals("", gopher.process().errors().text());
        }
    }

    @ParameterizedTest
    @EnumSource(value = ConcurrencyStrategy.class, names = {"REACTOR_PER_THREAD", "PROACTOR_PER_THREAD"})
    void noLoopCallsTheFileSystem(ConcurrencyStrategy concurrency) throws Exception {
        Files.writeString(file("docs/a.txt"), "text");
        try (FileCalls calls = FileCalls.install(); GopherSample gopher = serve(concurrency)) {
            gopher.address();
            calls.forget();
            assertTrue(gopher.text("").startsWith("1docs"));
            assertTrue(gopher.text("/docs").startsWith("0a.txt"));
            assertTrue(gopher.text("/docs/a.txt").startsWith("text"));
            assertTrue(gopher.text("/docs/a.txt").startsWith("text"));
            assertTrue(gopher.text("/none").startsWith("3"));
            assertEquals(List.of(), calls.onLoops());
        }
    }

    @Test
    void nothingOutsideIsSentWhileAFolderIsSwappedForALink() throws Exception {
        Path root = Files.createDirectories(directory.resolve("root"));
        try (GopherSample gopher = serve(ConcurrencyStrategy.REACTOR_PER_THREAD, "--cache", "none");
                SwappedFolder folder = new SwappedFolder(root, directory.resolve("outside"))) {
            int found = 0;
            int absent = 0;
            long end = System.nanoTime() + Patience.LIMIT.toNanos();
            while ((found < 100 || absent < 100) && !folder.hasEnded()) {
                assertTrue(System.nanoTime() < end, found + " found, " + absent + " absent");
                String text = gopher.text("/" + SwappedFolder.NAME + "/" + SwappedFolder.FILE);
                assertFalse(text.contains(SwappedFolder.OUTSIDE), text);
                String menu = gopher.text("/" + SwappedFolder.NAME + "/");
                assertFalse(menu.contains(SwappedFolder.OUTSIDE_ALONE), menu);
                for (String reply : List.of(text, menu)) {
                    found += reply.startsWith("3") ? 0 : 1;
                    absent += reply.startsWith("3") ? 1 : 0;
                }
            }
        }
    }

    @Test
    void refusesNamesThatWindowsTakesForOthers() throws Exception {
        for (String name : WindowsNames.ALL) {
            Files.writeString(file(name), "here");
            Files.writeString(file("parents/" + name + "/plain"), "here");
        }
        Files.writeString(file("plain"), "here");
        SampleCommand command = SampleCommand.of("gopher", directory.resolve("root").toString(), "--port", "0");
        expectNames(command.startWithWindowsNames(), false);
        expectNames(command.start(), true);
    }

    private static void expectNames(RunningSample process, boolean served) throws Exception {
        try (GopherSample gopher = new GopherSample(process)) {
            assertEquals("here", gopher.text("/plain"));
            for (String name : WindowsNames.ALL) {
                for (String selector : List.of(name, "/" + name, "parents/" + name + "/plain")) {
                    String reply = gopher.text(selector);
                    assertEquals(served, reply.startsWith("here"), selector + ": " + reply);
                    assertEquals(!served, reply.startsWith("3There is nothing"), selector + ": " + reply);
                }
                String menu = gopher.text("parents/" + name);
                assertEquals(served, menu.contains("\t/parents/" + name + "/plain\t"), menu);
                assertEquals(served && !name.startsWith("."), gopher.text("").contains("\t/" + name + "\t"), name);
            }
            gopher.process().stop();
            assertEquals("", gopher.process().errors().text());
        }
    }

    @ParameterizedTest
    @MethodSource(Drivers.STRATEGIES)
    void takesItsTimeAndNoMore(ConcurrencyStrategy concurrency) throws Exception {
        Files.write(file("large.bin"), new byte[20_000_000]);
        Files.writeString(file("a.txt"), "a");
        try (GopherSample gopher = serve(concurrency, "--idle-timeout", "0.4", "--request-timeout", "0.8",
                "--access-log", "-");
                Socket silent = gopher.connect(); Socket late = sending(gopher.connect(), "/");
                Socket notReading = sending(gopher.connect(8 * 1024), "/large.bin\r\n");
                Socket slow = gopher.connect()) {
            for (String octet : "/a.txt\n".split("")) {
                sending(slow, octet);
            }
            assertEquals("a\r\n" + END, new String(slow.getInputStream().readAllBytes(), UTF_8));
            assertEquals(-1, silent.getInputStream().read());
            assertEquals('3', late.getInputStream().read());
            // A truncated reply ends with a reset, so that no client takes it for a whole one.
            gopher.process().output().awaitLine("the end of what was cut", line -> line.contains("\"/large.bin\""));
            assertThrows(SocketException.class, () -> notReading.getInputStream().readAllBytes());
            try (Socket gone = gopher.connect()) {
                gone.getOutputStream().write("/large.bin\r\n".getBytes(UTF_8));
                assertEquals(0, gone.getInputStream().read());
                gone.setSoLinger(true, 0);
            }
            assertEquals("a\r\n" + END, gopher.text("a.txt"));
        }
    }

    /** {@return the client, at once after it has sent this: it has little time} */
    private static Socket sending(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(UTF_8));
        return client;
    }

    /** The filters of this framework that make sense for this protocol, in each stack of them. */
    @ParameterizedTest
    @MethodSource(Drivers.STRATEGIES)
    void passesTheFiltersThatAreChosen(ConcurrencyStrategy concurrency) throws Exception {
        Files.write(file("file.bin"), new byte[1_024]);
        try (GopherSample gopher = serve(concurrency, "--filters", "logging,throttling", "--rate", "2048",
                "--access-log", "-")) {
            gopher.address();
            long begin = System.nanoTime();
            assertEquals(1_024, gopher.ask("/file.bin").length);
            long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
            // All but what may go at once.
            assertTrue(millis >= 300, () -> "took " + millis + " ms");
            gopher.process().output().awaitLine("reply", line -> line.endsWith("\"/file.bin\" 200 1024"));
            gopher.process().stop();
            assertEquals("", gopher.process().errors().text());
        }
        try (GopherSample gopher = serve(concurrency, "--filters", "none")) {
            assertEquals(1_024, gopher.ask("/file.bin").length);
            gopher.process().stop();
            assertEquals(1, gopher.process().output().lines().size(), "only that it is ready");
        }
    }

    @Test
    void isUnderstoodByCurl() throws Exception {
        assumeTrue(Programs.has("curl"), "no curl here");
        assumeTrue(ExternalProgram.run(List.of("curl", "--version")).text().contains(" gopher "),
                "curl without Gopher");
        Files.writeString(file("two words.txt"), ".hello\n");
        try (GopherSample gopher = serve(ConcurrencyStrategy.REACTOR_PER_THREAD, "--name", "gopher.test")) {
            InetSocketAddress address = gopher.address();
            String url = "gopher://" + address.getHostString() + ":" + address.getPort();
            assertEquals("0two words.txt\t/two words.txt\tgopher.test\t" + address.getPort() + "\r\n" + END,
                    ExternalProgram.run(List.of("curl", "--silent", url + "/")).text());
            assertEquals("..hello\r\n" + END,
                    ExternalProgram.run(List.of("curl", "--silent", url + "/0/two%20words.txt")).text());
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "7", "1000"})
    void convertsInPiecesOfAnySize(int size) {
        byte[] text = ".\r\n..a\n\n.\rb\r\n\r\n.".getBytes(UTF_8);
        TextConversion conversion = new TextConversion();
        StringBuilder converted = new StringBuilder();
        for (int at = 0; at < text.length; at += size) {
            int length = Math.min(size, text.length - at);
            converted.append(UTF_8.decode(conversion.convert(ByteBuffer.wrap(text, at, length))));
        }
        assertEquals("..\r\n...a\r\n\r\n..\rb\r\n\r\n..", converted.toString());
        assertTrue(conversion.isInsideLine());
    }
}
