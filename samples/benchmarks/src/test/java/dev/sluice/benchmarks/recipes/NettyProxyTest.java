package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.ProxyContract;
import dev.sluice.recipes.Recipe;

class NettyProxyTest extends ProxyContract {

    NettyProxyTest() {
        super(Recipe.withShutdownHook(NettyProxy.class));
    }
}
