package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.ProxyContract;
import dev.sluice.recipes.Recipe;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_MATRIX)
class NettyProxyTest extends ProxyContract {

    NettyProxyTest() {
        super(Recipe.withShutdownHook(NettyProxy.class));
    }
}
