package dev.sluice.samples.oltp.frontend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.samples.Background;
import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.JavaHome;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.DepositLoad;
import dev.sluice.samples.oltp.DepositLoad.Acknowledged;
import dev.sluice.samples.oltp.OltpSystem;
import dev.sluice.samples.oltp.PoolModels;
import dev.sluice.samples.oltp.RespClient;
import dev.sluice.samples.oltp.RespClient.Failure;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole system: clients, a front end, back-ends. */
@EnabledOnOs(OS.LINUX)
class FrontEndTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void forwardsToTheBackEndThatHasTheBranch(ConcurrencyStrategy pool) throws Exception {
        try (OltpSystem system = OltpSystem.start(directory, pool); RespClient client = system.connect()) {
            StringBuilder requests = new StringBuilder();
            List<Object> expected = new ArrayList<>();
            for (int i = 1; i <= 100; i++) {
                for (int branch = 0; branch < BackEndSample.BRANCHES; branch++) {
                    int account = branch * BackEndSample.ACCOUNTS + 5;
                    int teller = branch * BackEndSample.TELLERS;
                    requests.append(RespClient.request("DEPOSIT", account, teller, branch, 3))
                            .append(RespClient.request("DEPOSIT", account, teller, branch, 1, "id" + i + "," + branch))
                            .append(RespClient.request("BALANCE", account));
                    expected.addAll(List.of(4L * i - 1, 4L * i, 4L * i));
                }
            }
            Background<RespClient> sending = Background.run(() -> client.send(requests.toString()));
            for (Object reply : expected) {
                assertEquals(reply, client.receive());
            }
            sending.result();
            assertEquals(4L, client.ask("DEPOSIT", 1005, 5, 1, 1, "id1,1"));
            assertEquals(new Failure("ERR no such account: 4000"), client.ask("BALANCE", 4000));
            assertEquals(new Failure("ERR no such account: -1"), client.ask("BALANCE", -1));
            assertEquals(new Failure("ERR there is no branch -3"), client.ask("DEPOSIT", 1, 1, -3, 1));
            assertEquals(new Failure("ERR unknown command 'FORWARD'"), client.ask("FORWARD", 1, "PING"));
            for (int i = 0; i < OltpSystem.BACK_ENDS; i++) {
                Map<String, String> totals = system.backEnd(i).info("totals");
                assertEquals("holds", totals.get("invariant"));
                for (int branch = 0; branch < BackEndSample.BRANCHES; branch++) {
                    boolean own = branch % OltpSystem.BACK_ENDS == i;
                    assertTrue(totals.get("branch_" + branch).endsWith(own ? "deposits=200" : "deposits=0"),
                            totals::toString);
                }
            }
            system.stop();
            assertAllDepositsHaveTheirOwnRequestId();
        }
    }

    private void assertAllDepositsHaveTheirOwnRequestId() throws Exception {
        for (int i = 0; i < OltpSystem.BACK_ENDS; i++) {
            try (Connection bank = DriverManager.getConnection(
                    "jdbc:sqlite:" + directory.resolve("back" + i).resolve("bank.db"));
                    ResultSet count = bank.createStatement().executeQuery(
                            "SELECT count(request), count(DISTINCT request), count(*) FROM history")) {
                assertEquals(List.of(400, 400, 400), List.of(count.getInt(1), count.getInt(2), count.getInt(3)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource(PoolModels.ONE)
    void redisBenchmark(ConcurrencyStrategy pool) throws Exception {
        try (OltpSystem system = OltpSystem.start(directory, pool)) {
            int port = system.front().awaitAddress().getPort();
            for (String pipelined : new String[] {"1", "16"}) {
                ExternalProgram benchmark = ExternalProgram.run(List.of("redis-benchmark", "-p", "" + port, "-q", "-n",
                        "2000", "-c", "20", "-P", pipelined, "-r", "1000", "DEPOSIT", "__rand_int__", "1", "0", "3"));
                assertEquals(0, benchmark.exitCode(), benchmark::text);
            }
            assertEquals("12000", system.backEnd(0).info("totals").get("accounts"));
            assertEquals("4000", system.backEnd(0).info("totals").get("deposits"));
            system.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(PoolModels.ONE)
    void saysThatABackEndIsDownAndRecovers(ConcurrencyStrategy pool) throws Exception {
        try (OltpSystem system = OltpSystem.start(directory, pool); RespClient client = system.connect()) {
            assertEquals(3L, client.ask("DEPOSIT", 1005, 5, 1, 3, "a"));
            system.backEnd(1).close();
            Failure failure = assertInstanceOf(Failure.class, client.ask("DEPOSIT", 1005, 5, 1, 4, "b"));
            assertTrue(failure.message().startsWith("FAIL back-end 127.0.0.1:"), failure::message);
            // The other one has nothing to do with it.
            assertEquals(5L, client.ask("DEPOSIT", 5, 0, 0, 5));
            system.restart(1);
            Patience.until("it has recovered", () -> client.ask("DEPOSIT", 1005, 5, 1, 4, "b").equals(7L));
            assertEquals(3L, client.ask("DEPOSIT", 1005, 5, 1, 3, "a"));
            assertEquals(7L, client.ask("BALANCE", 1005));
            system.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(PoolModels.ONE)
    void doesNotWaitForeverForABackEndThatHangs(ConcurrencyStrategy pool) throws Exception {
        try (OltpSystem system = OltpSystem.startRelayed(directory, pool, "--timeout", "300");
                RespClient client = system.connect()) {
            assertEquals(3L, client.ask("DEPOSIT", 5, 0, 0, 3));
            system.relay().hold();
            Failure failure = assertInstanceOf(Failure.class, client.ask("DEPOSIT", 5, 0, 0, 4, "b"));
            assertTrue(failure.message().endsWith(" within 300 ms"), failure::message);
            // The silent links are given up one after the other, and new ones are not used before they have answered.
            Patience.until("no link is left", () ->
                    client.ask("DEPOSIT", 5, 0, 0, 4, "b") instanceof Failure each
                            && each.message().contains(" is not available: "));
            system.relay().release();
            Patience.until("it has recovered", () -> client.ask("DEPOSIT", 5, 0, 0, 4, "b").equals(7L));
            system.awaitBackEnds(line -> line.contains("links=4"));
            system.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(PoolModels.ONE)
    void losesNothingWhenABackEndIsKilled(ConcurrencyStrategy pool) throws Exception {
        losesNothing(JavaHome.own(), pool, 40, 50, 1);
    }

    @Tag(Depth.IN_MATRIX)
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("otherJavas")
    void losesNothingOnAnotherJavaWhenABackEndIsKilled(JavaHome java) throws Exception {
        losesNothing(java, ConcurrencyStrategy.LEADER_FOLLOWERS, 40, 100, 2);
    }

    @Tag(Depth.IN_STRESS)
    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void keepsTheBooksForLong(ConcurrencyStrategy pool) throws Exception {
        losesNothing(JavaHome.own(), pool, 200, 500, 0);
    }

    @Tag(Depth.IN_STRESS)
    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void losesNothingWhenBackEndsAreKilledAgainAndAgain(ConcurrencyStrategy pool) throws Exception {
        losesNothing(JavaHome.own(), pool, 200, 500, 8);
    }

    @Tag(Depth.IN_STRESS)
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("otherJavas")
    void losesNothingOnAnotherJavaWhenBackEndsAreKilledAgainAndAgain(JavaHome java) throws Exception {
        losesNothing(java, ConcurrencyStrategy.LEADER_FOLLOWERS, 200, 500, 8);
    }

    static Stream<JavaHome> otherJavas() {
        return JavaHome.all().stream().skip(1);
    }

    private void losesNothing(JavaHome java, ConcurrencyStrategy pool, int clients, int each, int kills)
            throws Exception {
        int all = clients * each;
        Integer[] killed = kills > 1 ? new Integer[] {0, 1} : new Integer[] {1};
        try (OltpSystem system = OltpSystem.startKillable(java, directory, pool, killed)) {
            DepositLoad load = DepositLoad.start(system.front().awaitAddress(), clients, each);
            for (int kill = 1; kill <= kills; kill++) {
                int enough = all * kill / (kills + 2);
                Patience.until("deposits before the kill", () -> load.acknowledgedCount() >= enough);
                system.backEnd(kill % 2).kill();
                assertTrue(load.acknowledgedCount() < all, "the load was over before the kill");
                system.restart(kill % 2);
            }
            Map<String, Acknowledged> acknowledged = load.await();
            assertEquals(all, acknowledged.size());
            for (int i = 0; i < OltpSystem.BACK_ENDS; i++) {
                assertEquals("holds", system.backEnd(i).info("totals").get("invariant"));
            }
            system.stop();
            for (int i = 0; i < OltpSystem.BACK_ENDS; i++) {
                DepositLoad.assertBooks(system.data(i),
                        DepositLoad.ofBackEnd(acknowledged, i, OltpSystem.BACK_ENDS));
            }
        }
    }

    @Test
    void startsWithoutItsBackEnds() throws Exception {
        int port;
        try (BackEndSample back = BackEndSample.start(directory, "reactor-per-thread", FreePort.find())) {
            port = back.address().getPort();
            back.stop();
        }
        try (RunningSample front = SampleCommand.of("oltp-front", "--back", "127.0.0.1:" + port, "--port", "0")
                .start(); RespClient client = new RespClient(front.awaitAddress())) {
            assertEquals("PONG", client.ask("PING"));
            Failure failure = assertInstanceOf(Failure.class, client.ask("BALANCE", 5));
            assertTrue(failure.message().startsWith("FAIL back-end 127.0.0.1:" + port + " is not available: "),
                    failure::message);
            try (BackEndSample back = BackEndSample.start(directory, "reactor-per-thread", port)) {
                back.address();
                Patience.until("it has come", () -> client.ask("BALANCE", 5).equals(0L));
                front.stop();
                back.stop();
            }
        }
    }

    @Test
    void usesALinkOnceWhoseBackEndIntroducesItselfAgain() throws Exception {
        try (MuteBackEnd back = MuteBackEnd.thatIntroducesItselfAgain();
                RunningSample front = SampleCommand.of("oltp-front", "--back",
                        "127.0.0.1:" + back.address().getPort(), "--links", "1", "--timeout", "300", "--port", "0")
                        .start();
                RespClient client = new RespClient(front.awaitAddress())) {
            Patience.until("it is linked", () -> client.ask("INFO", "back-ends").toString().contains("links=1,"));
            assertInstanceOf(Failure.class, client.ask("DEPOSIT", 1, 1, 0, 1));
            String state = client.ask("INFO", "back-ends").toString();
            assertTrue(state.contains("links=1,"), state);
            front.stop();
        }
    }

    @ParameterizedTest
    @CsvSource({"half-sync-half-async, links", "leader-followers, pool-"})
    void endsWithoutTheThreadsThatItNeeds(String pool, String threads) throws Exception {
        try (RunningSample front = SampleCommand.of("oltp-front", "--back", "127.0.0.1:1", "--port", "0",
                "--concurrency", pool, "--demultiplexer", "poll").startProcess();
                RespClient client = new RespClient(front.awaitAddress())) {
            assertInstanceOf(Failure.class, client.ask("BALANCE", 5));
            List<String> command = new ArrayList<>(List.of("strace", "-q", "-o", "/dev/null", "-e",
                    "inject=poll,ppoll:error=EINVAL"));
            for (String id : front.figures().idsOfThreads(threads)) {
                command.addAll(List.of("-p", id));
            }
            Background<ExternalProgram> strace = Background.run(() -> ExternalProgram.run(command));
            // A poll that waits already is not touched: something has to happen after which they poll again.
            Patience.until("it ends, or cannot be traced", () -> {
                try (RespClient other = new RespClient(front.awaitAddress())) {
                    other.send("PING\r\n");
                } catch (IOException e) {
                    // It does not accept any more.
                }
                return !front.isAlive() || strace.isDone();
            });
            assumeFalse(strace.result().errors().contains("ptrace"), "tracing is not permitted here");
            assertEquals(1, front.awaitExit());
            assertTrue(front.errors().text().contains("an event loop failed: "), front.errors()::text);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", ":80", "127.0.0.1:", "127.0.0.1:99999", "no.such.host.invalid:80"})
    void refusesWhatIsNoAddress(String back) throws Exception {
        try (RunningSample front = SampleCommand.of("oltp-front", "--back", back, "--port", "0").start()) {
            assertEquals(2, front.awaitExit());
            assertTrue(front.errors().text().startsWith("sluice oltp-front: --back "), front.errors()::text);
        }
    }
}
