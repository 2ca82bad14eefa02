package dev.sluice.samples.windows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.WindowsNames;
import dev.sluice.testing.Depth;
import dev.sluice.windows.WindowsJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The servers in a JVM for Windows, met by the usual clients of this system. */
@EnabledOnOs(OS.LINUX)
@Tag("windows")
class ServersTest {

    private static final int CLIENTS = 12;

    @TempDir
    private Path directory;
    private final ExecutorService clients = Executors.newCachedThreadPool();

    @AfterEach
    void endClients() {
        clients.shutdownNow();
    }

    private static WindowsSample start(String... arguments) throws Exception {
        return WindowsSample.start(WindowsJvm.ofVersion(25), List.of(), arguments);
    }

    private String windowsPath(Path file) {
        return WindowsJvm.ofVersion(25).windowsPath(file);
    }

    @Test
    void echoesByteForByteAndStopsInOrder() throws Exception {
        echoes(25, "ffm", "proactor", "iocp");
    }

    @ParameterizedTest
    @Tag(Depth.IN_MATRIX)
    @CsvSource({"25, ffm, reactor, select", "25, ffm, reactor, wsapoll", "25, ffm, reactor, wfmo",
            "25, ffm, reactor, afd", "25, ffm, reactor, afd-one-shot", "25, jna, proactor, iocp",
            "17, jna, proactor, iocp", "17, jna, reactor, afd", "17, jna, reactor, wsapoll", "21, jna, proactor, iocp"})
    void echoesByteForByteOn(int java, String binding, String pattern, String demultiplexer) throws Exception {
        echoes(java, binding, pattern, demultiplexer);
    }

    private void echoes(int java, String binding, String pattern, String demultiplexer) throws Exception {
        try (WindowsSample echo = WindowsSample.start(WindowsJvm.ofVersion(java), List.of("-Dsluice.native=" + binding),
                "echo", "--port", "0", "--pattern", pattern, "--demultiplexer", demultiplexer)) {
            String ready = echo.process().awaitReadyLine();
            assertTrue(ready.endsWith("(" + demultiplexer + ", " + binding + ", java " + java + ")"), ready);
            InetSocketAddress address = echo.awaitAddress();
            List<CompletableFuture<byte[]>> echoes = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                byte[] bytes = RandomBytes.of(i, 20_000 * i + 1);
                echoes.add(CompletableFuture.supplyAsync(() -> exchange(address, bytes), clients));
            }
            for (int i = 0; i < CLIENTS; i++) {
                byte[] came = echoes.get(i).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertArrayEquals(RandomBytes.of(i, 20_000 * i + 1), came, "client " + i);
            }
            echo.stop();
        }
    }

    /** Sends everything and reads meanwhile until the server closes. */
    private byte[] exchange(InetSocketAddress address, byte[] bytes) {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> sendAll(socket, bytes), clients);
            byte[] came = socket.getInputStream().readAllBytes();
            sent.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            return came;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void sendAll(Socket socket, byte[] bytes) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void webServesFilesRangesAndManyAtOnce() throws Exception {
        webServes("proactive", "transmit");
    }

    @ParameterizedTest
    @Tag(Depth.IN_MATRIX)
    @CsvSource({"reactive, read", "reactive, mmap", "reactive, transmit", "proactive, read"})
    void webServes(String io, String fileIo) throws Exception {
        Path root = Files.createDirectory(directory.resolve("root"));
        byte[] bytes = RandomBytes.of(5, 1_500_000);
        Files.write(root.resolve("file.bin"), bytes);
        Files.writeString(root.resolve("small.txt"), "small");
        try (WindowsSample web = start("web", "--port", "0", "--io", io, "--threads", "2", "--root", windowsPath(root),
                "--file-io", fileIo)) {
            String url = url("http", web.awaitAddress());
            assertArrayEquals(bytes, curl(url + "/file.bin").output());
            assertArrayEquals(Arrays.copyOfRange(bytes, 1_000_000, 1_200_000),
                    curl("--range", "1000000-1199999", url + "/file.bin").output());
            String counts = curl("--write-out", "%{num_connects}:%{http_code} ", "--output", "/dev/null",
                    url + "/small.txt", "--output", "/dev/null", url + "/file.bin", "--output", "/dev/null",
                    url + "/nowhere").text();
            assertEquals("1:200 0:200 0:404 ", counts);
            String wrk = ExternalProgram.run(List.of("wrk", "--threads", "1", "--connections", "8", "--duration", "1",
                    url + "/small.txt")).text();
            assertTrue(wrk.contains("requests in") && !wrk.contains("Non-2xx") && !wrk.contains("Socket errors"), wrk);
            web.stop();
        }
    }

    /** New connections are served by the new strategy, and the old one ends with its last connection. */
    @Test
    @Tag(Depth.IN_MATRIX)
    void connectionsOfACompletionPortStayWithTheirStrategy() throws Exception {
        Path root = Files.createDirectory(directory.resolve("root"));
        Files.writeString(root.resolve("name"), "content");
        try (WindowsSample web = start("web", "--port", "0", "--io", "proactive", "--threads", "1", "--root",
                windowsPath(root), "--changeable", "--control", "0")) {
            InetSocketAddress address = web.awaitAddress();
            String line = web.process().errors().awaitLine("control address", each -> each.contains(" control on "));
            InetSocketAddress control = new InetSocketAddress(address.getAddress(),
                    Integer.parseInt(line.substring(line.lastIndexOf(':') + 1)));
            try (Socket first = connect(address)) {
                assertServed(first);
                assertEquals(List.of("ok: concurrency reactor-per-thread"),
                        ask(control, "concurrency reactor-per-thread"));
                try (Socket second = connect(address)) {
                    assertServed(second);
                    assertServed(first);
                    assertEquals(List.of("retired proactor-per-thread 1"), retired(control));
                    first.shutdownOutput();
                    assertEquals(-1, first.getInputStream().read());
                    Patience.until("the old strategy ends", () -> retired(control).isEmpty());
                    assertServed(second);
                }
            }
            web.stop();
        }
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        return socket;
    }

    /** Requests the page on a connection that stays open. */
    private static void assertServed(Socket client) throws IOException {
        client.getOutputStream().write("GET /name HTTP/1.1\r\nHost: test\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        StringBuilder reply = new StringBuilder();
        while (!reply.toString().endsWith("\r\n\r\ncontent")) {
            int octet = client.getInputStream().read();
            assertTrue(octet >= 0, reply::toString);
            reply.append((char) octet);
        }
        assertTrue(reply.toString().startsWith("HTTP/1.1 200 "), reply::toString);
    }

    /** {@return the lines that the control address answers to a command} */
    private static List<String> ask(InetSocketAddress control, String command) throws IOException {
        try (Socket socket = connect(control)) {
            socket.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
        }
    }

    /** {@return the strategies that still serve connections after a change, each with the number of these} */
    private static List<String> retired(InetSocketAddress control) throws IOException {
        return ask(control, "status").stream().filter(line -> line.startsWith("retired ")).toList();
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void webRefusesNamesThatLeadElsewhere() throws Exception {
        Path root = Files.createDirectory(directory.resolve("root"));
        Path inner = Files.createDirectory(root.resolve("dir"));
        for (Path each : List.of(root, inner)) {
            Files.writeString(each.resolve("file.txt"), "plain");
            Files.writeString(each.resolve("long-name-of-a-page.html"), "page");
        }
        try (WindowsSample web = start("web", "--port", "0", "--root", windowsPath(root), "--put", "/", "--listing")) {
            String url = url("http", web.awaitAddress());
            List<String> names = new ArrayList<>(List.of("/file.txt", "/dir/FILE.TXT", "/dir/"));
            assertEquals("200 200 200", statuses(url, names));
            String shortName = shortName(root, "long-name-of-a-page.html");
            names.clear();
            for (String name : Stream.concat(WindowsNames.ALL.stream(), Stream.of(shortName)).toList()) {
                String encoded = WindowsNames.encoded(name);
                names.addAll(List.of("/" + encoded, "/dir/" + encoded, "/" + encoded + "/file.txt"));
            }
            assertEquals(all("404", names), statuses(url, names));
            assertEquals(all("404", names), statuses(url, names, "--head"));
            assertEquals(all("404", names), statuses(url, names, "--range", "0-1"));
            assertEquals(all("409", names), statuses(url, names, "--request", "PUT", "--data", "new"));
            List<String> refused = List.of("/dir%5cfile.txt", "/dir%5C..%5Cfile.txt", "/..%5cfile.txt", "/%5c%5chost",
                    "/%2e%2e/root/file.txt", "/../root/file.txt", "/dir%2ffile.txt", "/file.txt%00", "/file.txt%0a",
                    "/file%01.txt");
            assertEquals(all("400", refused), statuses(url, refused));
            web.stop();
        }
        try (Stream<Path> all = Files.walk(root)) {
            assertEquals(List.of("root", "dir", "dir/file.txt", "dir/long-name-of-a-page.html", "file.txt",
                    "long-name-of-a-page.html"), all.sorted().map(each -> each.equals(root) ? "root"
                    : root.relativize(each).toString()).toList());
        }
        assertEquals("plain", Files.readString(root.resolve("file.txt")));
    }

    private static String all(String status, List<String> targets) {
        return targets.stream().map(target -> status).collect(Collectors.joining(" "));
    }

    /** {@return what one client gets, each target as it is written} */
    private static String statuses(String url, List<String> targets, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--path-as-is", "--globoff", "--write-out", "%{http_code} "));
        arguments.addAll(List.of(options));
        for (String target : targets) {
            arguments.addAll(List.of("--output", "/dev/null", url + target));
        }
        return curl(arguments.toArray(String[]::new)).text().strip();
    }

    /** {@return the other name that the system has for a file} */
    private String shortName(Path parent, String name) throws Exception {
        WindowsJvm jvm = WindowsJvm.ofVersion(25);
        Process cmd = jvm.enter(new ProcessBuilder("wine", "cmd", "/c", "dir", "/x", jvm.windowsPath(parent)))
                .redirectErrorStream(true).start();
        String listing = new String(cmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher line = Pattern.compile("(\\S+~\\S+) +" + Pattern.quote(name)).matcher(listing);
        assertTrue(line.find(), listing);
        return line.group(1);
    }

    @ParameterizedTest
    @Tag(Depth.IN_MATRIX)
    @ValueSource(strings = {"coarse", "paper"})
    void haboobServesPages(String stages) throws Exception {
        byte[] bytes = RandomBytes.of(7, 300_000);
        Files.write(directory.resolve("file.bin"), bytes);
        try (WindowsSample haboob = start("haboob", "--port", "0", "--stages", stages, "--root",
                windowsPath(directory))) {
            String url = url("http", haboob.awaitAddress());
            for (int i = 0; i < 2; i++) {
                assertArrayEquals(bytes, curl(url + "/file.bin").output());
            }
            assertEquals("404", curl("--output", "/dev/null", "--write-out", "%{http_code}", url + "/nowhere").text());
            haboob.stop();
        }
    }

    @ParameterizedTest
    @Tag(Depth.IN_MATRIX)
    @ValueSource(strings = {"reactive", "proactive"})
    void gopherServesMenuAndFile(String io) throws Exception {
        byte[] bytes = RandomBytes.of(6, 1_500_000);
        Files.write(directory.resolve("file.bin"), bytes);
        try (WindowsSample gopher = start("gopher", windowsPath(directory), "--port", "0", "--io", io, "--file-io",
                "transmit")) {
            InetSocketAddress address = gopher.awaitAddress();
            String url = url("gopher", address);
            assertArrayEquals(bytes, curl(url + "/9/file.bin").output());
            assertEquals("9file.bin\t/file.bin\t" + address.getHostString() + "\t" + address.getPort() + "\r\n.\r\n",
                    curl(url + "/").text());
            gopher.stop();
        }
    }

    @ParameterizedTest
    @Tag(Depth.IN_MATRIX)
    @ValueSource(strings = {"--udp", "--tcp"})
    void loggingWritesWhatLoggerSends(String transport) throws Exception {
        try (WindowsSample logging = start("logging", "--port", "0")) {
            InetSocketAddress address = logging.awaitAddress();
            ExternalProgram logger = ExternalProgram.run(List.of("logger", "--server", "127.0.0.1", "--port",
                    String.valueOf(address.getPort()), transport, "hello from logger"));
            assertEquals(0, logger.exitCode(), logger::errors);
            logging.process().output().awaitLine("record", line -> line.contains("hello from logger"));
            logging.stop();
        }
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void dnsAnswersDig() throws Exception {
        Path zone = Files.writeString(directory.resolve("zone"), """
                $ORIGIN example.
                @ 60 IN SOA ns hostmaster 1 60 60 60 60
                www 60 IN A 192.0.2.7
                """);
        try (WindowsSample dns = start("dns", "--port", "0", "--zone", windowsPath(zone))) {
            String port = String.valueOf(dns.awaitAddress().getPort());
            assertEquals("192.0.2.7\n", ExternalProgram.run(List.of("dig", "@127.0.0.1", "-p", port, "+short",
                    "+tries=3", "www.example", "A")).text());
            dns.stop();
        }
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void gnutellaGreetsAndConnectsToItsLike() throws Exception {
        try (WindowsSample one = start("gnutella", "--port", "0")) {
            InetSocketAddress address = one.awaitAddress();
            String neighbour = "127.0.0.1:" + address.getPort();
            try (WindowsSample other = start("gnutella", "--port", "0", "--connect", neighbour)) {
                other.awaitAddress();
                // Not earlier: a servent that connects has to greet in time.
                assertGreeted(address);
                other.stop();
            }
            one.stop();
        }
    }

    private static void assertGreeted(InetSocketAddress address) throws IOException {
        try (Socket servent = new Socket(address.getAddress(), address.getPort())) {
            servent.getOutputStream().write("GNUTELLA CONNECT/0.6\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            BufferedReader reader = new BufferedReader(new InputStreamReader(servent.getInputStream(),
                    StandardCharsets.US_ASCII));
            assertEquals("GNUTELLA/0.6 200 OK", reader.readLine());
        }
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void compareFinishesItsTable() throws Exception {
        try (WindowsSample compare = start("compare", "--seconds", "0.2", "--repetitions", "1",
                "--connections", "4", "--cpu", "0", "--concurrency", "half-sync-half-async")) {
            assertEquals(0, compare.process().awaitExit(), compare.process().errors()::text);
            assertTrue(compare.process().output().text().contains("half-sync-half-async  afd"));
        }
    }

    private static String url(String scheme, InetSocketAddress address) {
        return scheme + "://" + address.getHostString() + ":" + address.getPort();
    }

    private static ExternalProgram curl(String... arguments) throws Exception {
        return ExternalProgram.run(Stream.concat(Stream.of("curl", "--silent", "--show-error", "--max-time", "50"),
                Stream.of(arguments)).toList());
    }
}
