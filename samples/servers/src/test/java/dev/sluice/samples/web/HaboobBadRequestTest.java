package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A bad request gets a whole reply, through the stages, and ends its own connection alone. */
@EnabledOnOs(OS.LINUX)
class HaboobBadRequestTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: test\r\n";

    static Stream<Arguments> badRequests() {
        return WebDriver.haboobs().flatMap(haboob -> Stream.of(
                Arguments.of(haboob, 400, "Bad Request", "nonsense\r\n\r\n"),
                Arguments.of(haboob, 400, "Bad Request", "GET / HTTP/1.1\r\n\r\n"),
                Arguments.of(haboob, 400, "Bad Request", "GET / HTTP/1.1\nHost: test\n\n"),
                Arguments.of(haboob, 400, "Bad Request", GET + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"),
                Arguments.of(haboob, 431, "Request Header Fields Too Large",
                        GET + "X: " + "y".repeat(100_000) + "\r\n\r\n"),
                Arguments.of(haboob, 431, "Request Header Fields Too Large", GET + "X: y\r\n".repeat(200) + "\r\n")));
    }

    @ParameterizedTest
    @MethodSource("badRequests")
    void isRefusedByAWholeReplyAfterThoseBeforeIt(WebDriver haboob, int status, String reason, String octets)
            throws Exception {
        try (WebSample web = WebSample.start(haboob); HttpClientSocket client = web.connect();
                HttpClientSocket other = web.connect()) {
            // Pages, what is found nowhere, and what is made take different ways to their replies.
            client.send(HttpClientSocket.request("GET", "/") + HttpClientSocket.request("GET", "/nowhere")
                    + HttpClientSocket.request("GET", "/threads") + octets + GET + "\r\n");
            assertEquals(200, client.receive().status());
            assertEquals(404, client.receive().status());
            assertEquals(200, client.receive().status());
            HttpClientSocket.Received refusal = client.receive();
            assertTrue(refusal.head().startsWith("HTTP/1.1 " + status + " " + reason + "\r\n"), refusal.head());
            assertTrue(refusal.head().contains("\r\nContent-Type: text/html; charset=utf-8\r\n"), refusal.head());
            assertTrue(refusal.closes(), refusal.head());
            String page = new String(refusal.content(), UTF_8);
            assertTrue(page.contains("<title>" + status + " " + reason + "</title>"), page);
            assertTrue(page.endsWith("</html>\n"), page);
            // What follows it is not read as a request.
            client.expectEnd();
            assertEquals(200, other.get("/").receive().status());
            client.hangUp();
            other.hangUp();
            web.stop();
        }
    }
}
