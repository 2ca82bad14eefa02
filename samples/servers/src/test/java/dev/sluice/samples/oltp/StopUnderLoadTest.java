package dev.sluice.samples.oltp;

import dev.sluice.samples.Patience;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.DepositLoad.Acknowledged;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** SIGTERM in the middle of a load: a client may have to repeat its request, but gets no wrong reply. */
@EnabledOnOs(OS.LINUX)
class StopUnderLoadTest {

    private static final int CLIENTS = 40;
    private static final int MANY = 500;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void losesNothing(ConcurrencyStrategy pool) throws Exception {
        try (OltpSystem system = OltpSystem.start(directory, pool);
                DepositLoad load = DepositLoad.start(system.front().awaitAddress(), CLIENTS)) {
            awaitDeposits(load);
            system.backEnd(1).stop();
            system.restart(1);
            awaitDeposits(load);
            system.front().stop();
            system.restartFront();
            load.moved(system.front().awaitAddress());
            awaitDeposits(load);
            Map<String, Acknowledged> acknowledged = load.end();
            system.stop();
            for (int i = 0; i < OltpSystem.BACK_ENDS; i++) {
                DepositLoad.assertBooks(system.data(i),
                        DepositLoad.ofBackEnd(acknowledged, i, OltpSystem.BACK_ENDS));
            }
        }
    }

    /** Waits for so many more that both banks have got some. */
    private static void awaitDeposits(DepositLoad load) throws Exception {
        int enough = load.acknowledgedCount() + MANY;
        Patience.until("more than " + enough + " deposits", () -> load.acknowledgedCount() >= enough);
    }
}
