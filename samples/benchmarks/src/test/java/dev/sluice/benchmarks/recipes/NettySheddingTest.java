package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.Recipe;
import dev.sluice.recipes.SheddingContract;

class NettySheddingTest extends SheddingContract {

    NettySheddingTest() {
        super(Recipe.withShutdownHook(NettyShedding.class));
    }
}
