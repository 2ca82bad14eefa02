package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.EchoContract;
import dev.sluice.recipes.Recipe;
import dev.sluice.recipes.TakenPort;
import org.junit.jupiter.api.Test;

class NettyEchoTest extends EchoContract {

    NettyEchoTest() {
        super(Recipe.withShutdownHook(NettyEcho.class));
    }

    @Test
    void saysWhyItDoesNotListen() throws Exception {
        TakenPort.assertReported(Recipe.of(NettyEcho.class), "Address already in use");
    }
}
