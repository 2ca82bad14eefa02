package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.DirectReadsContract;
import dev.sluice.recipes.Recipe;

class NioDirectReadsTest extends DirectReadsContract {

    NioDirectReadsTest() {
        super(Recipe.of(NioDirectReads.class));
    }
}
