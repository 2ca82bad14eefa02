package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.IndexContract;
import dev.sluice.recipes.Recipe;

class LuceneIndexTest extends IndexContract {

    LuceneIndexTest() {
        super(Recipe.of(LuceneIndex.class));
    }
}
