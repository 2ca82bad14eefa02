package dev.sluice.samples.oltp.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.DepositLoad;
import dev.sluice.samples.oltp.DepositLoad.Acknowledged;
import dev.sluice.samples.oltp.PoolModels;
import dev.sluice.testing.Depth;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many clients at once, and what the bank's books say in the end. */
@EnabledOnOs(OS.LINUX)
class BackEndLoadTest {

    @TempDir
    private Path data;

    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void keepsTheBooks(ConcurrencyStrategy pool) throws Exception {
        keepsTheBooks(pool, 40, 50);
    }

    @Tag(Depth.IN_STRESS)
    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void keepsTheBooksForLong(ConcurrencyStrategy pool) throws Exception {
        keepsTheBooks(pool, 200, 500);
    }

    private void keepsTheBooks(ConcurrencyStrategy pool, int clients, int each) throws Exception {
        Map<String, Acknowledged> acknowledged;
        try (BackEndSample back = BackEndSample.start(data, pool)) {
            DepositLoad load = DepositLoad.start(back.address(), clients, each);
            acknowledged = load.await();
            assertEquals(0, load.failures());
            assertEquals(clients * each, acknowledged.size());
            Map<String, String> totals = back.info("totals");
            assertEquals("holds", totals.get("invariant"), totals::toString);
            assertEquals(Integer.toString(clients * each), totals.get("deposits"));
            back.stop();
        }
        DepositLoad.assertBooks(data, acknowledged);
    }

    @ParameterizedTest
    @MethodSource(PoolModels.ONE)
    void losesNothingWhenItIsKilled(ConcurrencyStrategy pool) throws Exception {
        losesNothingWhenItIsKilled(pool, 40, 75, 1);
    }

    @Tag(Depth.IN_STRESS)
    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void losesNothingWhenItIsKilledAgainAndAgain(ConcurrencyStrategy pool) throws Exception {
        losesNothingWhenItIsKilled(pool, 200, 500, 8);
    }

    private void losesNothingWhenItIsKilled(ConcurrencyStrategy pool, int clients, int each, int kills)
            throws Exception {
        int all = clients * each;
        BackEndSample back = BackEndSample.startProcess(data, pool);
        try {
            DepositLoad load = DepositLoad.start(back.address(), clients, each);
            for (int kill = 1; kill <= kills; kill++) {
                int enough = all * kill / (kills + 2);
                Patience.until("deposits before the kill", () -> load.acknowledgedCount() >= enough);
                back.kill();
                assertTrue(load.acknowledgedCount() < all, "the load was over before the kill");
                back = BackEndSample.startProcess(data, pool);
                load.moved(back.address());
            }
            Map<String, Acknowledged> acknowledged = load.await();
            assertEquals(all, acknowledged.size());
            back.stop();
            DepositLoad.assertBooks(data, acknowledged);
        } finally {
            back.close();
        }
    }
}
