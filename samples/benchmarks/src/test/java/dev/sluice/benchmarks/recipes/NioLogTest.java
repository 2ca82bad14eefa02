package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.LogContract;
import dev.sluice.recipes.Recipe;

class NioLogTest extends LogContract {

    NioLogTest() {
        super(Recipe.of(NioLog.class));
    }
}
