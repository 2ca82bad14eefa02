package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Haboob's example of a page that is made for each request. */
@EnabledOnOs(OS.LINUX)
class HaboobDynamicPageTest {

    private static final String HABOOBS = "dev.sluice.samples.web.WebDriver#haboobs";

    @ParameterizedTest
    @MethodSource(HABOOBS)
    void isMadeAnewForEachRequest(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.start(driver); HttpClientSocket client = web.connect()) {
            for (int i = 0; i < 2; i++) {
                HttpClientSocket.Received page = client.get("/threads").receive();
                assertEquals(200, page.status());
                assertTrue(page.head().contains("\r\nContent-Type: text/plain; charset=utf-8\r\n"), page.head());
                assertTrue(page.head().contains("\r\nCache-Control: no-store\r\n"), page.head());
                String threads = new String(page.content(), UTF_8);
                assertTrue(threads.contains("DynamicPages"), "it shows the thread that makes it: " + threads);
            }
            client.hangUp();
            web.stop();
        }
    }

    /** The files are behind it as ever, and come in their turn. */
    @ParameterizedTest
    @MethodSource(HABOOBS)
    void keepsItsPlaceAmongPipelinedRequests(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.start(driver); HttpClientSocket client = web.connect()) {
            client.send(HttpClientSocket.request("GET", "/") + HttpClientSocket.request("GET", "/threads")
                    + HttpClientSocket.request("GET", "/nowhere"));
            assertTrue(client.receive().head().contains("text/html"));
            assertTrue(client.receive().head().contains("text/plain"));
            assertEquals(404, client.receive().status());
            client.hangUp();
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(HABOOBS)
    void hasAHeadAlone(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.start(driver); HttpClientSocket client = web.connect()) {
            String head = client.send(HttpClientSocket.request("HEAD", "/threads")).receiveHead();
            assertTrue(head.startsWith("HTTP/1.1 200 "), head);
            assertTrue(head.matches("(?s).*\r\nContent-Length: [1-9]\\d+\r\n.*"), head);
            // What comes next is the head of the next reply.
            assertEquals(404, client.get("/nowhere").receive().status());
            client.hangUp();
            web.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(HABOOBS)
    void takesNoContent(WebDriver driver) throws Exception {
        try (WebSample web = WebSample.start(driver); HttpClientSocket client = web.connect()) {
            client.send(HttpClientSocket.request("POST", "/threads", "Content-Length: 4") + "some");
            assertEquals(405, client.receive().status());
            assertEquals(200, client.get("/threads").receive().status());
            client.hangUp();
            web.stop();
        }
    }
}
