package dev.sluice.recipes;

class DirectReadsTest extends DirectReadsContract {

    DirectReadsTest() {
        super(Recipe.of(DirectReads.class));
    }
}
