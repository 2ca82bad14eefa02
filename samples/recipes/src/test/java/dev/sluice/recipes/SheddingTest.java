package dev.sluice.recipes;

class SheddingTest extends SheddingContract {

    SheddingTest() {
        super(Recipe.of(Shedding.class));
    }
}
