package dev.sluice.samples.lines;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A web page has a browser send lines to a server that takes lines: a POST whose body the page's author has written.
 * None of its lines may be executed.
 */
@EnabledOnOs(OS.LINUX)
class CrossSiteRequestTest {

    @TempDir
    private Path directory;

    /** Sends what a browser would, and waits for the end of the connection. */
    private static String post(int port, String... lines) throws Exception {
        ExternalProgram curl = ExternalProgram.run(List.of("curl", "--silent", "--show-error", "--max-time", "50",
                "--http0.9", "--header", "Content-Type: text/plain", "--header", "Origin: http://example.org",
                "--header", "Expect:", "--data-binary", String.join("\n", lines) + "\n", url(port)));
        assertNotEquals(28, curl.exitCode(), "it waits for an answer");
        return curl.text();
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port + "/";
    }

    private static int port(RunningSample server) throws Exception {
        return server.awaitAddress().getPort();
    }

    private static RunningSample start(String... command) throws Exception {
        return SampleCommand.of(command).start();
    }

    @ParameterizedTest
    @CsvSource({"'POST / HTTP/1.1', true", "'GET /a%20b HTTP/1.0\r', true", "'PRI * HTTP/2.0\r\n', true",
        "'POST/HTTP/1.1', true", "'Host: localhost:6400\r', true", "'hOST:', true", "'', false", "' \r\n', false",
        "'HTTP/1.1', true", "'TTP/1.1', false", "'HTTP/11', false", "'HTTP/1.x', false", "'HTTP/1.1 \u00e4', false",
        "'host', false", "'<13>a POST / HTTP/1.1 of others', false", "'DEPOSIT 17 3 0 250', false"})
    @Tag(Depth.IN_QUICK)
    void isRecognized(String line, boolean http) {
        byte[] octets = ("HTTP/1.1" + line + "HTTP/1.1").getBytes(ISO_8859_1);
        assertEquals(http, HttpLine.isHttp(octets, 8, octets.length - 16));
    }

    @Test
    @Tag(Depth.IN_QUICK)
    void makesNoDepositAtABackEndOrItsFrontEnd() throws Exception {
        try (RunningSample back = start("oltp-back", "--data", directory.toString(), "--port", "0", "--branches", "1");
                RunningSample front = start("oltp-front", "--back", "127.0.0.1:" + port(back), "--port", "0")) {
            for (RunningSample each : List.of(back, front)) {
                assertEquals("-ERR Protocol error: this is HTTP\r\n", post(port(each), "DEPOSIT 1 1 0 250",
                        "*5\r\n$7\r\nDEPOSIT\r\n$1\r\n1\r\n$1\r\n1\r\n$1\r\n0\r\n$3\r\n250\r"));
            }
            try (LineClient client = new LineClient(port(front))) {
                assertEquals(":0", client.ask("BALANCE 1"));
            }
            front.stop();
            back.stop();
        }
    }

    @Test
    void neitherReloadsNorTells() throws Exception {
        int control = FreePort.find();
        try (RunningSample web = start("web", "--port", "0", "--control", Integer.toString(control))) {
            port(web);
            assertEquals("error: this is not an HTTP server\n", post(control, "reload", "status"));
            try (LineClient client = new LineClient(control)) {
                assertEquals("configuration 1", client.ask("status"));
            }
            web.stop();
        }
    }

    @Test
    void beginsNoJob() throws Exception {
        try (RunningSample levels = start("levels", "--port", "0", "--levels", "only=2")) {
            assertEquals("", post(port(levels), "1 a", "2 b"));
            levels.stop();
            assertTrue(levels.errors().text().contains("only: 0 jobs done, 0 refused"), levels.errors()::text);
        }
    }

    @Test
    void callsNoPeer() throws Exception {
        int port = FreePort.find();
        try (RunningSample hybrid = start("hybrid", "--port", "" + port, "--peer", "127.0.0.1:" + port)) {
            port(hybrid);
            assertEquals("", post(port, "1 5", "2 6"));
            hybrid.stop();
            assertTrue(hybrid.errors().text().contains("0 calls answered"), hybrid.errors()::text);
        }
    }

    @Test
    void isNoNeighbour() throws Exception {
        try (RunningSample gnutella = start("gnutella", "--port", "0")) {
            assertEquals("", post(port(gnutella), "GNUTELLA CONNECT/0.6", "", "GNUTELLA/0.6 200 OK", ""));
            gnutella.stop();
        }
    }

    @Test
    void writesNoRecord() throws Exception {
        Path file = directory.resolve("log");
        try (RunningSample logging = start("logging", "--port", "0", "--max-record", "1024", "--file",
                file.toString())) {
            int port = port(logging);
            String record = "<13>1 - - - - - - forged";
            post(port, record, record);
            // A request line that is longer than a record.
            ExternalProgram.run(List.of("curl", "--silent", "--max-time", "50", "--http0.9", "--data-binary",
                    record + "\n", url(port) + "x".repeat(2000)));
            try (LineClient client = new LineClient(port)) {
                client.send("no priority\n<13>1 - - - - - - POST / HTTP/1.1\n<13>1 - - - - - - end\n");
            }
            logging.stop();
            assertEquals(List.of("<13>1 - - - - - - POST / HTTP/1.1", "<13>1 - - - - - - end"),
                    Files.readAllLines(file));
        }
    }

    @Test
    void asksAGopherServerForOneThingThatItDoesNotHave() throws Exception {
        try (RunningSample gopher = start("gopher", directory.toString(), "--port", "0")) {
            String answer = post(port(gopher), "/", "/");
            assertTrue(answer.startsWith("3"), answer);
            assertFalse(answer.contains("\ni") || answer.contains("\n3"), answer);
            gopher.stop();
        }
    }
}
