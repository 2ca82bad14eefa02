package dev.sluice.samples.oltp.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import dev.sluice.samples.ProcessFigures;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.Setups;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.Churn;
import dev.sluice.samples.oltp.DepositLoad;
import dev.sluice.samples.oltp.DepositLoad.Acknowledged;
import dev.sluice.samples.oltp.PoolModels;
import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
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

    /** Every setup with the default, and those whose sets report differently with a model that has a reactor. */
    static Stream<Arguments> setups(TestInfo test) {
        List<String> triggers = Setups.triggers().toList();
        return Depth.some(test, Stream.concat(
                Setups.varied().map(setup -> Arguments.of(ConcurrencyStrategy.LEADER_FOLLOWERS, setup)),
                Setups.varied().filter(setup -> setup.isBest() && triggers.contains(setup.demultiplexer()))
                        .map(setup -> Arguments.of(ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC, setup))), 3);
    }

    @ParameterizedTest
    @MethodSource("setups")
    void servesOnEveryDemultiplexer(ConcurrencyStrategy pool, Setups.Setup setup) throws Exception {
        Map<String, Acknowledged> acknowledged;
        try (RunningSample back = setup.command("oltp-back", "--data", data.toString(), "--port", "0",
                "--concurrency", pool.toString(), "--branches", "" + BackEndSample.BRANCHES,
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
    void keepsNothingOfConnectionsThatAreGone(ConcurrencyStrategy pool) throws Exception {
        try (BackEndSample back = BackEndSample.start(data, pool)) {
            InetSocketAddress address = back.address();
            ProcessFigures figures = back.sample().figures();
            long before = figures.openSockets();
            Churn.run(address);
            Patience.until("no socket is left of them", () -> figures.openSockets() == before);
            Patience.until("their threads are gone", () -> figures.countOfThreads("connection") == 0);
            assertEquals("1", back.info("pool").get("connected_clients"));
            back.stop();
        }
    }
}
