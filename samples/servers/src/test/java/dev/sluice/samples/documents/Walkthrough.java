package dev.sluice.samples.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.CapturedOutput;
import dev.sluice.samples.Patience;
import dev.sluice.samples.Programs;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleHost;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A reader who types one command after the other, each in a terminal of its own, and looks at what comes. Servers stay
 * until the end; everything else has to end by itself.
 */
final class Walkthrough implements AutoCloseable {

    private static final int STANDARD_PORT = 7007;
    private static final String CACHE = "-XX:AOTCache=";
    private static final Map<String, String> ECHOED =
            Map.of("hello", "hello", "a second, longer line", "a second, longer line");
    private static final String PAGE = "<p>A page of your own.\n".repeat(100);

    private final Checkout checkout;
    private final SampleHost host;
    private final Deque<Running> servers = new ArrayDeque<>();

    private record Running(RunningSample process, String sample, int port) {
    }

    /**
     * Begins in a tree.
     *
     * @param host where servers run for which no variable is set, or null if the launcher starts these, too
     */
    Walkthrough(Checkout checkout, SampleHost host) throws IOException {
        this.checkout = checkout;
        this.host = host;
        Files.writeString(Files.createDirectory(checkout.home().resolve("public")).resolve("index.html"), PAGE);
    }

    /** Runs it as it stands there, and checks that a reader sees what the document promises. */
    void type(Command command) throws Exception {
        switch (command.program()) {
            case "./sluice" -> sluice(command);
            case "java" -> startProgram(command);
            case "nc" -> talk(command);
            case "echo" -> configure(command);
            case "logger" -> log(command);
            case "dig" -> lookUp(command);
            case "curl" -> fetch(command);
            case "redis-cli" -> deposit(command);
            case "redis-benchmark" -> depositOften(command);
            default -> fail("no test knows the result of " + command);
        }
    }

    private void sluice(Command command) throws Exception {
        if (command.isServer()) {
            startSample(command);
            return;
        }
        SampleProcess finished = finish(command);
        assertEquals("", finished.errors().text());
        String output = finished.output().text();
        if (command.asksForHelp()) {
            assertTrue(output.startsWith("Usage: sluice "), output);
        } else if (command.sample().equals("doctor")) {
            assertTrue(output.contains("BINDING") && output.contains("epoll"), output);
        } else if (command.sample().equals("wal")) {
            assertTrue(output.contains(" appends/s "), output);
        } else {
            fail("no test knows the result of " + command);
        }
    }

    private void startSample(Command command) throws Exception {
        int port = command.value("--port").map(Integer::parseInt).orElse(STANDARD_PORT);
        if (servers.stream().anyMatch(server -> server.port() == port)) {
            // The reader ends the one before, as its port is wanted.
            stop();
        }
        assumeFree(port);
        if (command.sample().equals("oltp-front") && servers.isEmpty()) {
            // Its row follows the one with the server that it forwards to.
            type(new Command("./sluice oltp-back --data ~/bank --port 6400"));
        }
        RunningSample server = start(command, port);
        String ready = server.awaitReadyLine();
        assertTrue(ready.startsWith("ready: " + command.sample() + " on 127.0.0.1:" + port + " ("), ready);
        if (command.text().contains("-Dsluice.native=jna")) {
            assertTrue(ready.contains(", jna, "), ready);
        }
    }

    /** One at a time: they have the same port, and what one of them records for the next it writes at its end. */
    private void startProgram(Command command) throws Exception {
        stop();
        assumeFree(STANDARD_PORT);
        for (String word : command.words()) {
            if (word.startsWith(CACHE)) {
                assertTrue(Files.exists(checkout.directory().resolve(word.substring(CACHE.length()))),
                        command::toString);
            }
        }
        start(command, STANDARD_PORT);
        Patience.until(command + " listens", () -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", STANDARD_PORT));
                return true;
            } catch (IOException e) {
                return false;
            }
        });
        talk(new Command("nc 127.0.0.1 " + STANDARD_PORT), ECHOED);
    }

    private RunningSample start(Command command, int port) throws IOException, InterruptedException {
        RunningSample process = host != null && command.isSluice() && !command.setsVariables()
                ? host.run(checkout.arguments(command).toArray(String[]::new))
                : SampleProcess.start(checkout.shell(command));
        servers.push(new Running(process, command.isSluice() ? command.sample() : "", port));
        return process;
    }

    /** The port stands in the document, so that a test cannot choose another. */
    private static void assumeFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
            assertEquals(port, socket.getLocalPort());
        } catch (IOException e) {
            abort("something else on this machine has port " + port + ", which the document names");
        }
    }

    private void talk(Command command) throws Exception {
        talk(command, switch (servers.peek().sample()) {
            case "hybrid" -> Map.of("1 15", "1 610");
            case "levels" -> Map.of("0 hello", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
            default -> ECHOED;
        });
    }

    /** Netcat goes on until it is ended, as it does at Ctrl-C. */
    private void talk(Command command, Map<String, String> answers) throws Exception {
        assumeProgram(command);
        Process client = checkout.shell(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (OutputStream input = client.getOutputStream();
                BufferedReader output = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8))) {
            for (Map.Entry<String, String> each : answers.entrySet()) {
                input.write((each.getKey() + "\n").getBytes(UTF_8));
                input.flush();
                assertEquals(each.getValue(), output.readLine());
            }
        } finally {
            client.destroyForcibly().waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Writes a file, or has it read. */
    private void configure(Command command) throws Exception {
        boolean asks = command.has("nc");
        assumeTrue(!asks || Programs.has("nc"), "no nc here");
        String output = finish(command).output().text();
        assertTrue(asks ? output.matches("ok: configuration \\d+ is active\n") : output.isEmpty(), output);
    }

    private void log(Command command) throws Exception {
        finish(command);
        server().awaitLine("the record", line -> line.endsWith(command.lastWord()));
    }

    private void lookUp(Command command) throws Exception {
        assertEquals("127.0.0.1", finish(command).output().text().strip());
    }

    private void fetch(Command command) throws Exception {
        String output = finish(command).output().text();
        if (command.lastWord().startsWith("gopher:")) {
            assertTrue(output.matches("(?s)[^\t\r\n]+\t/[^\t]+\t127\\.0\\.0\\.1\t\\d+\r\n.*"), output);
            return;
        }
        String[] reply = output.split("\r\n\r\n", 2);
        assertEquals(2, reply.length, output);
        if (command.has("--range")) {
            String[] range = command.value("--range").orElseThrow().split("-");
            assertTrue(reply[0].startsWith("HTTP/1.1 206 "), output);
            assertTrue(reply[0].contains("bytes " + range[0] + "-" + range[1] + "/" + PAGE.length()), output);
            assertEquals(PAGE.substring(Integer.parseInt(range[0]), Integer.parseInt(range[1]) + 1), reply[1]);
            server().awaitLine("a line of the access log", line -> line.contains("\" 206 "));
        } else {
            assertTrue(reply[0].startsWith("HTTP/1.1 200 "), output);
            assertTrue(reply[1].contains("<html"), output);
        }
    }

    /** The bank is new, and nothing else is paid into the account: the balance is the amount. */
    private void deposit(Command command) throws Exception {
        int verb = command.words().indexOf("DEPOSIT");
        String amount = command.words().get(verb + 4);
        assertEquals(amount, finish(command).output().text().strip());
    }

    /** A tenth of the requests in the ordinary build: it has the same output. */
    private void depositOften(Command command) throws Exception {
        String count = "-n " + command.value("-n").orElseThrow();
        SampleProcess finished = finish(Depth.current() == Depth.VERIFY
                ? new Command(command.text().replace(count, count.substring(0, count.length() - 1))) : command);
        assertTrue(finished.output().text().contains("requests per second"), finished.output()::text);
        // The one complaint: it asks for the configuration of a Redis.
        assertEquals("WARNING: Could not fetch server CONFIG", finished.errors().text().strip());
    }

    private SampleProcess finish(Command command) throws Exception {
        assumeProgram(command);
        SampleProcess process = SampleProcess.start(checkout.shell(command).redirectInput(
                ProcessBuilder.Redirect.from(new File("/dev/null"))));
        try (process) {
            assertEquals(0, process.awaitExit(), () -> command + ": " + process.errors().text());
        }
        return process;
    }

    private static void assumeProgram(Command command) {
        assumeTrue(command.isSluice() || Programs.has(command.program()), () -> "no " + command.program() + " here");
    }

    /** {@return what the server says that was started last} */
    private CapturedOutput server() {
        assertTrue(!servers.isEmpty(), "a client without a server");
        return servers.peek().process().output();
    }

    /** Sends each server SIGTERM, the last one first, and checks that it ends in order. */
    void stop() throws Exception {
        for (; !servers.isEmpty(); servers.pop()) {
            Running server = servers.peek();
            server.process().terminate();
            assertEquals(0, server.process().awaitExit(), server.process().errors()::text);
        }
    }

    @Override
    public void close() {
        servers.forEach(server -> server.process().close());
    }
}
