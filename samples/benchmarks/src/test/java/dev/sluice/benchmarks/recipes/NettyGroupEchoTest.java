package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.EchoContract;
import dev.sluice.recipes.Recipe;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_MATRIX)
class NettyGroupEchoTest extends EchoContract {

    NettyGroupEchoTest() {
        super(Recipe.withShutdownHook(NettyGroupEcho.class));
    }
}
