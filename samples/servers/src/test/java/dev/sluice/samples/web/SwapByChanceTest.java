package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.Campaign;
import dev.sluice.samples.ChanceSwap;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.io.IoStrategy;
import dev.sluice.testing.Depth;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole servers are asked for files below a folder that is swapped by chance before any of their calls: nothing from
 * outside is served, nothing is written there, and no temporary file of an upload stays.
 */
@Tag(Campaign.TAG)
@EnabledOnOs(OS.LINUX)
class SwapByChanceTest {

    private static final int REQUESTS = Campaign.count(80, 10_000);
    /** Long enough to be compressed. */
    private static final String INSIDE = ChanceSwap.INSIDE.repeat(1000);

    @TempDir
    private Path directory;

    /** Counted so that the test is about something. */
    private int found;
    private int absent;

    static Stream<String> servers(TestInfo test) {
        List<String> web = new ArrayList<>();
        for (IoStrategy io : IoStrategy.values()) {
            for (String way : List.of("transmit", "mmap", "read")) {
                web.add("web --io " + io + " --file-io " + way + " --cache none");
                web.add("web --io " + io + " --file-io " + way);
            }
        }
        List<String> haboob = List.of("haboob --stages coarse --cache none", "haboob --stages paper");
        return Stream.of(Depth.some(test, web.stream(), 2), Depth.some(test, haboob.stream(), 1))
                .flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void webServersKeepToTheInside(String server) throws Exception {
        Campaign campaign = Campaign.begin("folders swapped below " + server);
        try (ChanceSwap swap = new ChanceSwap(directory);
                RunningSample sample = start(server, "--root", swap.root().toString(), "--listing", "--put", "/")) {
            sample.awaitAddress();
            for (int i = 0; i < REQUESTS; i++) {
                Random random = campaign.random(i);
                String request = request(random);
                try (HttpClientSocket client = new HttpClientSocket(sample.awaitAddress())) {
                    swap.begin(random);
                    ask(client, request);
                } catch (Throwable e) {
                    throw new AssertionError(campaign + ", request " + i + ": " + request, e);
                } finally {
                    swap.end();
                }
                swap.check();
            }
            assertVaried();
            sample.stop();
            assertFalse(sample.errors().text().contains("\tat "), sample.errors()::text);
        }
    }

    @ParameterizedTest
    @MethodSource
    void gopherKeepsToTheInside(String server) throws Exception {
        Campaign campaign = Campaign.begin("folders swapped below " + server);
        try (ChanceSwap swap = new ChanceSwap(directory);
                RunningSample sample = start(server, swap.root().toString())) {
            sample.awaitAddress();
            for (int i = 0; i < REQUESTS; i++) {
                Random random = campaign.random(i);
                String selector = folder(random) + (random.nextInt(3) == 0 ? "" : "file");
                try (Socket socket = new Socket()) {
                    socket.connect(sample.awaitAddress());
                    socket.setSoTimeout((int) Patience.LIMIT.toMillis());
                    swap.begin(random);
                    socket.getOutputStream().write((selector + "\r\n").getBytes(ISO_8859_1));
                    String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
                    assertInside(answer);
                    count(!answer.startsWith("3"));
                } catch (Throwable e) {
                    throw new AssertionError(campaign + ", request " + i + ": " + selector, e);
                } finally {
                    swap.end();
                }
            }
            swap.check();
            assertVaried();
            sample.stop();
            assertFalse(sample.errors().text().contains("\tat "), sample.errors()::text);
        }
    }

    static Stream<String> gopherKeepsToTheInside(TestInfo test) {
        List<String> all = new ArrayList<>();
        for (IoStrategy io : IoStrategy.values()) {
            all.add("gopher --io " + io + " --cache none");
            all.add("gopher --io " + io);
        }
        return Depth.some(test, all.stream(), 1);
    }

    private static RunningSample start(String command, String... options) throws IOException {
        return SampleCommand.of(Stream.of(Stream.of(command.split(" ")), Stream.of("--port", "0"), Stream.of(options))
                .flatMap(each -> each).toArray(String[]::new)).start();
    }

    private static String folder(Random random) {
        return ChanceSwap.FOLDERS.get(random.nextInt(ChanceSwap.FOLDERS.size()));
    }

    private void count(boolean isThere) {
        if (isThere) {
            found++;
        } else {
            absent++;
        }
    }

    private void assertVaried() {
        assertTrue(found > REQUESTS / 10 && absent > REQUESTS / 20, found + " found, " + absent + " absent");
    }

    private static void assertInside(String text) {
        assertFalse(text.contains(ChanceSwap.OUTSIDE) || text.contains(ChanceSwap.STRANGER), text);
    }

    /** {@return a request, in one of nine cases a PUT that breaks off in its content} */
    private static String request(Random random) {
        String folder = folder(random);
        String file = folder + "file";
        return switch (random.nextInt(9)) {
            case 0 -> HttpClientSocket.request("GET", file);
            case 1 -> HttpClientSocket.request("GET", file, "Range: bytes=2-3000");
            case 2 -> HttpClientSocket.request("GET", file, "Range: bytes=1-9,100-1000");
            case 3, 4 -> HttpClientSocket.request("GET", file, "Accept-Encoding: gzip");
            case 5, 6 -> HttpClientSocket.request("GET", folder);
            case 7 -> HttpClientSocket.request("PUT", random.nextBoolean() ? file : folder + "new",
                    "Content-Length: " + INSIDE.length()) + INSIDE;
            default -> HttpClientSocket.request("PUT", file, "Content-Length: " + INSIDE.length())
                    + INSIDE.substring(1 + random.nextInt(INSIDE.length() - 1));
        };
    }

    /** Asks, and looks at the answer, or waits until the server has given up a PUT that breaks off. */
    private void ask(HttpClientSocket client, String request) throws IOException {
        client.send(request);
        if (request.startsWith("PUT") && !request.endsWith("\r\n\r\n" + INSIDE)) {
            client.endOutput();
            assertInside(new String(client.input().readAllBytes(), ISO_8859_1));
            return;
        }
        HttpClientSocket.Received reply = client.receive();
        assertTrue(reply.status() < 500, reply.head());
        count(reply.status() < 300);
        byte[] content = reply.content();
        if (reply.head().contains("\r\nContent-Encoding: gzip\r\n")) {
            content = new GZIPInputStream(new ByteArrayInputStream(content)).readAllBytes();
        }
        assertInside(new String(content, ISO_8859_1));
    }
}
