package dev.sluice.samples.oltp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import dev.sluice.samples.oltp.DepositLoad.Acknowledged;
import dev.sluice.samples.oltp.pool.PoolModel;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** SIGTERM in the middle of a load: a client may have to repeat its request, but is told nothing wrong. */
@EnabledOnOs(OS.LINUX)
class StopUnderLoadTest {

    private static final int CLIENTS = 40;
    private static final int EACH = 100;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void losesNothing(PoolModel pool) throws Exception {
        try (OltpSystem system = OltpSystem.start(directory, pool)) {
            DepositLoad load = DepositLoad.start(system.front().awaitAddress(), CLIENTS, EACH);
            Patience.until("deposits", () -> load.acknowledgedCount() >= CLIENTS * EACH / 4);
            system.backEnd(1).stop();
            system.restart(1);
            int enough = load.acknowledgedCount() + CLIENTS * EACH / 10;
            Patience.until("more deposits", () -> load.acknowledgedCount() >= enough);
            system.front().stop();
            system.restartFront();
            load.moved(system.front().awaitAddress());
            Map<String, Acknowledged> acknowledged = load.await();
            assertEquals(CLIENTS * EACH, acknowledged.size());
            system.stop();
            for (int i = 0; i < OltpSystem.BACK_ENDS; i++) {
                DepositLoad.assertBooks(system.data(i),
                        DepositLoad.ofBackEnd(acknowledged, i, OltpSystem.BACK_ENDS));
            }
        }
    }
}
