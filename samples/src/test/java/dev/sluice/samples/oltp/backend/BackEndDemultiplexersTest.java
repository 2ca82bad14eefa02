package dev.sluice.samples.oltp.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import dev.sluice.samples.ProcessFigures;
import dev.sluice.samples.SampleProcess;
import dev.sluice.samples.Setups;
import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.DepositLoad;
import dev.sluice.samples.oltp.DepositLoad.Acknowledged;
import dev.sluice.samples.oltp.PoolModels;
import dev.sluice.samples.oltp.RespClient;
import dev.sluice.samples.oltp.pool.PoolModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections that come and go, on whatever the reactor waits with. */
@EnabledOnOs(OS.LINUX)
class BackEndDemultiplexersTest {

    private static final int CLIENTS = 20;
    private static final int EACH = 20;

    @TempDir
    private Path data;

    static Stream<Arguments> setups() {
        return Stream.of(PoolModel.LEADER_FOLLOWERS, PoolModel.HALF_SYNC)
                .flatMap(pool -> Setups.varied().map(setup -> Arguments.of(pool, setup)));
    }

    @ParameterizedTest
    @MethodSource("setups")
    void servesOnEveryDemultiplexer(PoolModel pool, Setups.Setup setup) throws Exception {
        Map<String, Acknowledged> acknowledged;
        try (SampleProcess back = setup.command("oltp-back", "--data", data.toString(), "--port", "0",
                "--pool", pool.toString(), "--branches", "" + BackEndSample.BRANCHES,
                "--tellers", "" + BackEndSample.TELLERS, "--accounts", "" + BackEndSample.ACCOUNTS).start()) {
            acknowledged = DepositLoad.start(back.awaitAddress(), CLIENTS, EACH).await();
            assertEquals(CLIENTS * EACH, acknowledged.size());
            back.stop();
            assertEquals("", back.errors().text());
        }
        DepositLoad.assertBooks(data, acknowledged);
    }

    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void keepsNothingOfConnectionsThatAreGone(PoolModel pool) throws Exception {
        try (BackEndSample back = BackEndSample.start(data, pool)) {
            churn(back);
            ProcessFigures figures = back.process().figures();
            // The listening one.
            Patience.until("no socket but one is left", () -> figures.openSockets() == 1);
            Patience.until("their threads are gone", () -> figures.countOfThreads("connection") == 0);
            assertEquals("1", back.info("pool").get("connected_clients"));
            back.stop();
        }
    }

    /** Connections that end in each way: after a reply, before it, and before any request. */
    private static void churn(BackEndSample back) throws Exception {
        List<RespClient> clients = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            clients.add(back.connect());
        }
        for (int i = 0; i < clients.size(); i++) {
            RespClient client = clients.get(i);
            switch (i % 3) {
                case 0 -> assertEquals("PONG", client.ask("PING"));
                case 1 -> client.send(RespClient.request("DEPOSIT", 1, 1, 0, 1));
                default -> { }
            }
        }
        for (RespClient client : clients) {
            client.close();
        }
    }
}
