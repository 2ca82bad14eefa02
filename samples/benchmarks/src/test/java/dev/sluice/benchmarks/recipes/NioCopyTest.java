package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.CopyContract;
import dev.sluice.recipes.Recipe;

class NioCopyTest extends CopyContract {

    NioCopyTest() {
        super(Recipe.of(NioCopy.class));
    }
}
