package dev.sluice.samples.stalled;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.lines.LineClient;
import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.RespClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server, what may be said to it, and a client of it that gets what it asks for. */
final class Subject implements AutoCloseable {

    private static final String STOP_TIMEOUT = "0.1";
    private static final String SMALL = "a small file\n";
    private static final int LARGE = 6 << 20;
    /** Of requests with answers that are as long as they are, in octets. */
    private static final int FLOOD = 8 << 20;
    /** Of requests with answers that are somewhat longer. */
    private static final int MEDIUM_FLOOD = 1 << 20;
    /** Of requests with much longer answers, or no more than what the server reads ahead. */
    private static final int SHORT_FLOOD = 256 << 10;
    private static final String GREETING = "GNUTELLA CONNECT/0.6\r\nUser-Agent: Test\r\n\r\n";
    private static final String AGREED = "GNUTELLA/0.6 200 OK\r\n\r\n";
    private static final int GUID = 16;

    private final Path directory;
    private final List<byte[]> dialogues = new ArrayList<>();
    private final List<byte[]> floods = new ArrayList<>();
    /** The one that is tested, and what is behind it. */
    private final Deque<RunningSample> samples = new ArrayDeque<>();
    private InetSocketAddress address;
    private Exchange exchange;
    private int exchanges;
    private boolean connectsToItself;

    /** What a good client does on a connection of its own. */
    @FunctionalInterface
    private interface Exchange {
        void run() throws Exception;
    }

    private Subject(Path directory) {
        this.directory = directory;
    }

    /**
     * Starts one.
     *
     * @param command   with options besides the port
     * @param directory which is empty
     */
    static Subject start(String command, Path directory) throws Exception {
        Subject subject = new Subject(directory);
        try {
            subject.start(new ArrayList<>(List.of(command.split(" "))));
            return subject;
        } catch (Throwable e) {
            subject.close();
            throw e;
        }
    }

    private void start(List<String> command) throws Exception {
        switch (command.get(0)) {
            case "echo" -> echo(command);
            case "web", "haboob" -> web(command);
            case "gopher" -> gopher(command);
            case "logging" -> logging(command);
            case "oltp-back" -> oltp(command);
            case "oltp-front" -> oltpFront(command);
            case "gnutella" -> gnutella(command);
            case "hybrid" -> hybrid(command);
            case "levels" -> levels(command);
            case "control" -> control();
            case "status" -> status();
            default -> throw new IllegalArgumentException(command.toString());
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /** {@return what a peer may say, of which it may leave out any end} */
    List<byte[]> dialogues() {
        return dialogues;
    }

    /** {@return whole requests, with answers that do not fit into the buffers of sockets, where there are such} */
    List<byte[]> floods() {
        return floods;
    }

    /** Connects a good client, sends a request, and checks the answer. */
    void serveGoodClient() throws Exception {
        exchanges++;
        exchange.run();
    }

    /** {@return the number of sockets open but for those that it connects to itself whenever it likes} */
    long openSockets() throws IOException {
        return connectsToItself ? 0 : samples.getFirst().figures().openSockets();
    }

    /** Asks all to stop, and checks that they end in order, and have left nothing behind. */
    void stop() throws Exception {
        for (RunningSample each : samples) {
            each.stop();
            assertTrue(!each.errors().text().contains("\tat "), each.errors()::text);
        }
        try (Stream<Path> all = Files.walk(directory)) {
            assertEquals(List.of(), all.filter(each -> each.getFileName().toString().startsWith(".")).toList());
        }
    }

    @Override
    public void close() {
        samples.forEach(RunningSample::close);
    }

    // How they are started, and what is said to them

    private void launch(List<String> command, String... options) throws Exception {
        samples.push(SampleCommand.of(Stream.of(command.stream(), Stream.of(options), Stream.of("--stop-timeout",
                STOP_TIMEOUT)).flatMap(each -> each).toArray(String[]::new)).start());
        address = samples.getFirst().awaitAddress();
    }

    private void dialogue(String text) {
        dialogues.add(text.getBytes(ISO_8859_1));
    }

    private void flood(String requests, int octets) {
        floods.add(requests.repeat(octets / requests.length()).getBytes(ISO_8859_1));
    }

    private void echo(List<String> command) throws Exception {
        launch(command, "--port", "0");
        dialogue("echo this, please");
        flood("echo this, please", FLOOD);
        exchange = () -> assertEquals("hello", ask("hello", 5));
    }

    private static String request(String method, String target, String... fields) {
        return method + " " + target + " HTTP/1.1\r\nHost: a\r\n" + String.join("", fields) + "\r\n";
    }

    private Path fill() throws IOException {
        Path root = Files.createDirectories(directory.resolve("root"));
        Files.createDirectories(root.resolve("inbox"));
        Files.writeString(root.resolve("small.txt"), SMALL);
        Files.writeString(root.resolve("text.txt"), (SMALL.repeat(100) + "\n").repeat(500));
        Files.write(root.resolve("large"), RandomBytes.of(1, LARGE));
        return root;
    }

    private void web(List<String> command) throws Exception {
        launch(command, "--port", "0", "--root", fill().toString(), "--put", "/inbox", "--listing", "--trace",
                "--status", "/status");
        dialogue(request("GET", "/small.txt", "Range: bytes=1-2,4-5\r\n", "Accept-Encoding: gzip\r\n")
                + request("PUT", "/inbox/whole", "Content-Length: 300\r\n") + "x".repeat(300)
                + request("HEAD", "/large", "If-None-Match: \"a\"\r\n"));
        dialogue(request("PUT", "/inbox/pieces", "Expect: 100-continue\r\n", "Transfer-Encoding: chunked\r\n")
                + "5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nX: y\r\n\r\n" + request("TRACE", "/"));
        flood(request("GET", "/large"), SHORT_FLOOD);
        flood(request("GET", "/large", "Range: bytes=0-1000000,2000000-4000000\r\n"), SHORT_FLOOD);
        flood(request("GET", "/text.txt", "Accept-Encoding: gzip\r\n"), SHORT_FLOOD);
        flood(request("GET", "/inbox/") + request("TRACE", "/", "X: " + "x".repeat(2000) + "\r\n"), MEDIUM_FLOOD);
        flood(request("PUT", "/inbox/whole", "Content-Length: 1000\r\n") + "x".repeat(1000)
                + request("GET", "/none") + request("GET", "/status.csv"), SHORT_FLOOD);
        String whole = request("GET", "/small.txt", "Connection: close\r\n");
        exchange = () -> {
            String answer = ask(whole, Integer.MAX_VALUE);
            assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.endsWith("\r\n\r\n" + SMALL), answer);
        };
    }

    private void gopher(List<String> command) throws Exception {
        launch(command, fill().toString(), "--port", "0");
        dialogue("small.txt\tsearch\r\n");
        dialogue("\r\n");
        flood("text.txt\r\n", 100);
        flood("large\r\n", 100);
        flood("\r\n", 100);
        exchange = () -> assertEquals(SMALL.stripTrailing() + "\r\n.\r\n", ask("small.txt\r\n", Integer.MAX_VALUE));
    }

    private void logging(List<String> command) throws Exception {
        Path log = directory.resolve("log");
        launch(command, "--port", "0", "--file", log.toString());
        dialogue("<13>1 2026-01-01T00:00:00Z host app 1 id [a b=\"c\"] whole\n<13>another");
        dialogue("26 <13>1 - host app - - - whole5 <1>a\n");
        exchange = () -> {
            String message = "good client " + exchanges + ".";
            try (Socket socket = connect()) {
                socket.getOutputStream().write(("<13>1 - host app - - - " + message + "\n").getBytes(ISO_8859_1));
            }
            Patience.until(message, () -> Files.readString(log, ISO_8859_1).contains(message));
        };
    }

    private void oltp(List<String> command) throws Exception {
        launch(command, "--port", "0", "--data", directory.resolve("data" + samples.size()).toString(), "--branches",
                "" + BackEndSample.BRANCHES, "--tellers", "" + BackEndSample.TELLERS, "--accounts",
                "" + BackEndSample.ACCOUNTS);
        talkAboutMoney();
    }

    private void talkAboutMoney() {
        dialogues.clear();
        floods.clear();
        dialogue(RespClient.request("PING") + RespClient.request("DEPOSIT", 1, 1, 0, 5, "id")
                + RespClient.request("BALANCE", 1) + RespClient.request("INFO"));
        flood(RespClient.request("PING", "x".repeat(60_000)), FLOOD);
        flood(RespClient.request("DEPOSIT", 1, 1, 0, 1) + RespClient.request("BALANCE", 1)
                + RespClient.request("INFO"), SHORT_FLOOD);
        exchange = () -> {
            try (RespClient client = new RespClient(address)) {
                assertEquals("PONG", client.ask("PING"));
                assertInstanceOf(Long.class, client.ask("DEPOSIT", 2, 1, 0, 1));
            }
        };
    }

    private void oltpFront(List<String> command) throws Exception {
        List<String> back = List.of("oltp-back", "--concurrency", "leader-followers");
        StringBuilder backs = new StringBuilder();
        for (int i = 0; i < 2; i++) {
            oltp(back);
            backs.append(i > 0 ? "," : "").append("127.0.0.1:").append(address.getPort());
        }
        launch(command, "--port", "0", "--back", backs.toString());
        talkAboutMoney();
        Patience.until("it has connected", () -> {
            try (RespClient client = new RespClient(address)) {
                return client.ask("DEPOSIT", 1, 1, 0, 1) instanceof Long
                        && client.ask("DEPOSIT", 2, 1, 0, 1) instanceof Long;
            }
        });
    }

    private static String ping() {
        byte[] ping = new byte[GUID + 7];
        Arrays.fill(ping, 0, GUID, (byte) 7);
        ping[GUID + 1] = 1;
        return new String(ping, ISO_8859_1);
    }

    private void gnutella(List<String> command) throws Exception {
        launch(command, "--port", "0", "--keep", "0");
        dialogue(GREETING + AGREED + ping() + ping());
        dialogue("GNUTELLA CONNECT/0.4\n\n" + ping());
        floods.add((GREETING + AGREED + ping().repeat(SHORT_FLOOD / ping().length())).getBytes(ISO_8859_1));
        exchange = () -> {
            try (Socket socket = connect()) {
                socket.getOutputStream().write((GREETING + AGREED + ping()).getBytes(ISO_8859_1));
                String pong = ping().substring(0, GUID) + "\1";
                StringBuilder heard = new StringBuilder();
                InputStream in = socket.getInputStream();
                while (!heard.toString().contains(pong)) {
                    int octet = in.read();
                    assertTrue(octet >= 0, heard::toString);
                    heard.append((char) octet);
                }
            }
        };
    }

    private void hybrid(List<String> command) throws Exception {
        String port = Integer.toString(FreePort.find());
        launch(command, "--port", port, "--peer", "127.0.0.1:" + port);
        connectsToItself = true;
        dialogue("1 3\n2 2\r\n");
        flood("1 1\n", SHORT_FLOOD);
        exchange = () -> {
            try (LineClient client = new LineClient(address.getPort())) {
                assertEquals("1 5", client.ask("1 5"));
            }
        };
    }

    private void levels(List<String> command) throws Exception {
        launch(command, "--port", "0", "--levels", "only=2");
        dialogue("1 a text\n2 another\r\n");
        flood("0 a\n", SHORT_FLOOD);
        exchange = () -> {
            try (LineClient client = new LineClient(address.getPort())) {
                assertEquals(64, client.ask("1 text").length());
            }
        };
    }

    private void control() throws Exception {
        launch(List.of("web"), "--port", "0", "--control", "0");
        findAddress(".* control on /?([\\d.]+):(\\d+).*");
        dialogue("status\r\n");
        dialogue("reload\n");
        flood("status\n", SHORT_FLOOD);
        exchange = () -> {
            String answer = ask("status\n", Integer.MAX_VALUE);
            assertTrue(answer.startsWith("configuration "), answer);
        };
    }

    private void status() throws Exception {
        launch(List.of("gnutella"), "--port", "0", "--keep", "0", "--status", "0");
        findAddress(".* shown at http://([\\d.]+):(\\d+)/.*");
        dialogue(request("GET", "/stages") + request("GET", "/stages.json"));
        flood(request("GET", "/stages.json"), SHORT_FLOOD);
        String request = request("GET", "/stages", "Connection: close\r\n");
        exchange = () -> {
            String answer = ask(request, Integer.MAX_VALUE);
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        };
    }

    private void findAddress(String pattern) throws Exception {
        Pattern line = Pattern.compile(pattern);
        Matcher found = line.matcher(samples.getFirst().errors().awaitLine(pattern, line.asMatchPredicate()));
        assertTrue(found.matches());
        address = new InetSocketAddress(found.group(1), Integer.parseInt(found.group(2)));
    }

    // What good clients do

    private Socket connect() throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        return socket;
    }

    /** {@return so much of the answer, or all up to the end} */
    private String ask(String request, int octets) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readNBytes(octets), ISO_8859_1);
        }
    }
}
