package dev.sluice.benchmarks.recipes;

import dev.sluice.recipes.IndexContract;
import dev.sluice.recipes.Recipe;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_MATRIX)
class LuceneIndexTest extends IndexContract {

    LuceneIndexTest() {
        super(Recipe.of(LuceneIndex.class));
    }
}
