package dev.sluice.samples.oltp.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.TcpState;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.PoolModels;
import dev.sluice.samples.oltp.RespClient;
import dev.sluice.samples.oltp.RespClient.Failure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One connection at a time, octet by octet. */
@EnabledOnOs(OS.LINUX)
class BackEndConnectionTest {

    @TempDir
    private Path data;

    @ParameterizedTest
    @MethodSource(PoolModels.ALL)
    void answersInOrderWhateverIsPipelined(ConcurrencyStrategy pool) throws Exception {
        try (BackEndSample back = BackEndSample.start(data, pool); RespClient client = back.connect()) {
            StringBuilder requests = new StringBuilder();
            List<Object> expected = new ArrayList<>();
            for (int i = 1; i <= 1000; i++) {
                requests.append(RespClient.request("DEPOSIT", 7, 1, 0, 2, "id" + i));
                expected.add(2L * i);
                if (i % 10 == 0) {
                    requests.append(RespClient.request("BALANCE", 7)).append("ping\r\n")
                            .append(RespClient.request("DEPOSIT", 7, 9, 0, 2));
                    expected.addAll(List.of(2L * i, "PONG", new Failure("ERR teller 9 is not of branch 0")));
                }
            }
            Background<Void> sending = Background.run(() -> {
                client.send(requests.toString());
                client.endOutput();
                return null;
            });
            for (Object reply : expected) {
                assertEquals(reply, client.receive());
            }
            sending.result();
            client.expectEnd();
            back.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void waitsForAClientThatReadsLate(ConcurrencyStrategy pool) throws Exception {
        String message = "x".repeat(1000);
        int count = 20_000;
        try (BackEndSample back = BackEndSample.start(data, pool); RespClient client = back.connect();
                RespClient other = back.connect()) {
            Background<Void> sending = Background.run(() -> {
                String ten = RespClient.request("PING", message).repeat(10);
                for (int i = 0; i < count / 10; i++) {
                    client.send(ten);
                }
                return null;
            });
            // Far more than all buffers on the way hold: the server has to stop reading, and serve others meanwhile.
            assertEquals(3L, other.ask("DEPOSIT", 1, 1, 0, 3));
            for (int i = 0; i < count; i++) {
                assertEquals(message, client.receive());
            }
            sending.result();
            assertEquals("PONG", client.ask("PING"));
        }
    }

    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void endsAConnectionThatSendsNoRequests(ConcurrencyStrategy pool) throws Exception {
        try (BackEndSample back = BackEndSample.start(data, pool); RespClient client = back.connect()) {
            client.send(RespClient.request("DEPOSIT", 1, 1, 0, 3) + "*1\r\nnonsense\r\n" + "PING\r\n".repeat(1000));
            client.endOutput();
            assertEquals(3L, client.receive());
            assertEquals(new Failure("ERR Protocol error: expected '$', got 'n'"), client.receive());
            client.expectEnd();
            back.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(PoolModels.ALL)
    void finishesWhatItHasReceivedWhenItIsStopped(ConcurrencyStrategy pool) throws Exception {
        try (BackEndSample back = BackEndSample.start(data, pool); RespClient idle = back.connect();
                RespClient client = back.connect()) {
            assertEquals("PONG", idle.ask("PING"));
            assertEquals(3L, client.ask("DEPOSIT", 1, 1, 0, 3));
            back.sample().terminate();
            idle.expectEnd();
            client.expectEnd();
            assertEquals(0, back.sample().awaitExit());
            assertEquals("", back.sample().errors().text());
        }
    }

    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void answersForwardedRequestsByTheirTags(ConcurrencyStrategy pool) throws Exception {
        try (BackEndSample back = BackEndSample.start(data, pool); RespClient client = back.connect()) {
            StringBuilder requests = new StringBuilder();
            Map<Object, Object> expected = new HashMap<>();
            for (long tag = 0; tag < 500; tag++) {
                requests.append(RespClient.request("FORWARD", 3 * tag, "DEPOSIT", 7, 1, 0, 2, "id" + tag))
                        .append(RespClient.request("FORWARD", 3 * tag + 1, "BALANCE", 8))
                        .append(RespClient.request("FORWARD", 3 * tag + 2, "DEPOSIT", 7, 1, 1, 2));
                expected.put(3 * tag, 2 * tag + 2);
                expected.put(3 * tag + 1, 0L);
                expected.put(3 * tag + 2, new Failure("ERR teller 1 is not of branch 1"));
            }
            client.send(requests.toString());
            Map<Object, Object> replies = new HashMap<>();
            for (int i = 0; i < expected.size(); i++) {
                List<?> reply = (List<?>) client.receive();
                assertEquals(null, replies.put(reply.get(0), reply.get(1)));
            }
            assertEquals(expected, replies);
            back.stop();
        }
    }

    @Test
    void letsAForwardedBalanceOvertakeADeposit() throws Exception {
        try (BackEndSample back = BackEndSample.start(data, ConcurrencyStrategy.REACTOR_PER_THREAD);
                RespClient client = back.connect()) {
            client.send(RespClient.request("FORWARD", 1, "DEPOSIT", 7, 1, 0, 2)
                    + RespClient.request("FORWARD", 2, "BALANCE", 8) + RespClient.request("PING"));
            assertEquals(List.of(2L, 0L), client.receive());
            assertEquals(List.of(1L, 2L), client.receive());
            assertEquals("PONG", client.receive());
            assertEquals(List.of(5L, new Failure("ERR unknown command 'GET'")), client.ask("FORWARD", 5, "GET"));
            Failure tag = new Failure("ERR a tag is a number from 0 on, and the command no other FORWARD");
            assertEquals(tag, client.ask("FORWARD", -1, "PING"));
            assertEquals(List.of(6L, tag), client.ask("FORWARD", 6, "FORWARD", 7, "PING"));
        }
    }

    @Test
    void findsOutThatAMachineIsGone() throws Exception {
        try (BackEndSample back = BackEndSample.start(data, ConcurrencyStrategy.LEADER_FOLLOWERS);
                RespClient client = back.connect()) {
            assertEquals("PONG", client.ask("PING"));
            // Until the client's side has acknowledged the reply, another timer runs.
            Patience.until("the client is kept alive", () -> TcpState.connectionsTo(client.localPort()).values()
                    .stream().anyMatch(TcpState::keptAlive));
        }
    }

    @Test
    void saysWhatIsWrong() throws Exception {
        try (BackEndSample back = BackEndSample.start(data, ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC);
                RespClient client = back.connect()) {
            assertEquals(new Failure("ERR unknown command 'GET'"), client.ask("GET", "x"));
            assertEquals(new Failure("ERR unknown command '" + "y".repeat(64) + "...'"), client.ask("y".repeat(100)));
            assertEquals(new Failure("ERR wrong number of arguments for 'deposit' command"), client.ask("DEPOSIT", 1));
            assertEquals(new Failure("ERR wrong number of arguments for 'balance' command"), client.ask("BALANCE"));
            assertEquals(new Failure("ERR value is not an integer or out of range"), client.ask("BALANCE", "1x"));
            assertEquals(new Failure("ERR value is not an integer or out of range"),
                    client.ask("DEPOSIT", 1, 1, 0, "99999999999999999999"));
            assertEquals(new Failure("ERR a request id is 1 to 64 printable ASCII characters"),
                    client.ask("DEPOSIT", 1, 1, 0, 1, "a b"));
            assertEquals(new Failure("ERR a request id is 1 to 64 printable ASCII characters"),
                    client.ask("DEPOSIT", 1, 1, 0, 1, "i".repeat(65)));
            assertEquals(new Failure("NOPROTO unsupported protocol version"), client.ask("HELLO", 3));
            assertEquals(List.of("server", "sluice", "proto", 2L), client.ask("HELLO", 2));
            assertEquals(List.of(), client.ask("CONFIG", "GET", "save"));
            assertEquals("OK", client.ask("CLIENT", "SETNAME", "x"));
            assertEquals("", client.ask("INFO", "nothing"));
            assertEquals("OK", client.ask("QUIT"));
            client.expectEnd();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"followers", "HALF_SYNC_HALF_ASYNC", "fast"})
    void refusesPoolsThatThereAreNot(String pool) throws Exception {
        try (BackEndSample back = BackEndSample.start(data, pool)) {
            assertEquals(2, back.sample().awaitExit());
            String said = back.sample().errors().text();
            assertTrue(said.startsWith("sluice oltp-back: Invalid value for option '--concurrency': expected one of "
                    + "reactor-per-thread, leader-followers, half-sync-half-async, "), said);
            assertTrue(said.contains("'" + pool + "'"), said);
        }
    }

    @Test
    void refusesAnotherSizeThanTheBankHas() throws Exception {
        try (BackEndSample back = BackEndSample.start(data, ConcurrencyStrategy.REACTOR_PER_THREAD)) {
            back.address();
            back.stop();
        }
        try (RunningSample other =
                SampleCommand.of("oltp-back", "--data", data.toString(), "--accounts", "7").start()) {
            assertEquals(2, other.awaitExit());
            assertTrue(other.errors().text().contains("has 4 branches of 5 tellers and 1000 accounts each already"));
        }
    }
}
