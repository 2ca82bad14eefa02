package dev.sluice.samples.oltp.frontend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.oltp.RespClient;
import dev.sluice.samples.oltp.RespClient.Failure;
import dev.sluice.samples.oltp.RespClients;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long clients wait for a back-end that accepts requests, and lives, and never answers. */
@EnabledOnOs(OS.LINUX)
class BoundedWaitTest {

    private static final int TIMEOUT_MILLIS = 300;
    /** Several times what is promised, and a fraction of the sum of what each has to wait for alone. */
    private static final long GENEROUS_MILLIS = 20_000;

    private static RunningSample start(MuteBackEnd back, String pool, int threads) throws Exception {
        return start(back, pool, threads, TIMEOUT_MILLIS);
    }

    private static RunningSample start(MuteBackEnd back, String pool, int threads, int timeout, String... options)
            throws Exception {
        List<String> command = new ArrayList<>(List.of("oltp-front", "--back", "127.0.0.1:" + back.address().getPort(),
                "--port", "0", "--concurrency", pool, "--timeout", "" + timeout));
        command.addAll(List.of(options));
        if (!pool.equals("thread-per-connection")) {
            command.addAll(List.of("--threads", "" + threads));
        }
        return SampleCommand.of(command.toArray(String[]::new)).start();
    }

    private static void assertTimedOut(Object reply) {
        Failure failure = assertInstanceOf(Failure.class, reply);
        assertTrue(failure.message().endsWith(" within " + TIMEOUT_MILLIS + " ms"), failure::message);
    }

    private static void awaitLink(InetSocketAddress front) throws Exception {
        try (RespClient client = new RespClient(front)) {
            Patience.until("the links are up", () -> client.ask("INFO", "back-ends").toString().contains("links=4,"));
        }
    }

    @ParameterizedTest
    @CsvSource({"leader-followers, 1", "leader-followers, 2", "half-sync-half-async, 2"})
    void isTheSameForMoreClientsThanThreadsCanServeAtOnce(String pool, int threads) throws Exception {
        try (MuteBackEnd back = new MuteBackEnd(); RunningSample front = start(back, pool, threads);
                RespClients clients = new RespClients()) {
            awaitLink(front.awaitAddress());
            for (int i = 0; i < 120; i++) {
                clients.connect(front.awaitAddress());
            }
            long start = System.nanoTime();
            for (RespClient client : clients) {
                client.send(RespClient.request("DEPOSIT", 1, 1, 0, 1));
            }
            for (RespClient client : clients) {
                assertTimedOut(client.receive());
            }
            assertNotMultiplied(start);
            assertEquals("PONG", clients.get(0).ask("PING"));
            front.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"leader-followers", "half-sync-half-async", "reactor-per-thread", "thread-per-connection"})
    void isTheSameForAllThatHasBeenPipelined(String pool) throws Exception {
        try (MuteBackEnd back = new MuteBackEnd(); RunningSample front = start(back, pool, 2)) {
            awaitLink(front.awaitAddress());
            try (RespClient client = new RespClient(front.awaitAddress())) {
                long start = System.nanoTime();
                client.send(RespClient.request("BALANCE", 1).repeat(40));
                for (int i = 0; i < 40; i++) {
                    assertTimedOut(client.receive());
                }
                assertNotMultiplied(start);
                // A request that comes later has its own time.
                assertTimedOut(client.ask("BALANCE", 1));
            }
            front.stop();
        }
    }

    @Test
    void isNotThatOfAnotherClientAsWell() throws Exception {
        try (MuteBackEnd back = new MuteBackEnd(); RunningSample front = start(back, "leader-followers", 1)) {
            awaitLink(front.awaitAddress());
            try (RespClient first = new RespClient(front.awaitAddress());
                    RespClient second = new RespClient(front.awaitAddress());
                    RespClient observer = new RespClient(front.awaitAddress())) {
                long start = System.nanoTime();
                first.send(RespClient.request("DEPOSIT", 1, 1, 0, 1));
                Patience.until("the first waits", () -> sent(observer) == 1);
                second.send(RespClient.request("BALANCE", 1).repeat(40));
                assertTimedOut(first.receive());
                assertNotMultiplied(start);
            }
            front.stop();
        }
    }

    /** With an answer that would be waited for longer than any test takes. */
    @ParameterizedTest
    @ValueSource(strings = {"leader-followers", "half-sync-half-async", "reactor-per-thread", "thread-per-connection",
        "thread-pool"})
    void isOverWhenTheServerEnds(String pool) throws Exception {
        try (MuteBackEnd back = new MuteBackEnd();
                RunningSample front = start(back, pool, 3, 3_600_000, "--stop-timeout", "0.2");
                RespClients clients = new RespClients()) {
            awaitLink(front.awaitAddress());
            for (int i = 0; i < 3; i++) {
                clients.connect(front.awaitAddress());
                clients.get(i).send(RespClient.request("DEPOSIT", 1, 1, 0, 1).repeat(3) + RespClient.request("PING"));
            }
            Patience.until("they are waited for", () -> back.requests() >= 3);
            front.stop();
        }
    }

    private static int sent(RespClient client) throws Exception {
        return Integer.parseInt(client.ask("INFO", "back-ends").toString().replaceAll("(?s).*,sent=(\\d+),.*", "$1"));
    }

    private static void assertNotMultiplied(long start) {
        long millis = (System.nanoTime() - start) / 1_000_000;
        assertTrue(millis < GENEROUS_MILLIS, () -> "it took " + millis + " ms");
    }
}
