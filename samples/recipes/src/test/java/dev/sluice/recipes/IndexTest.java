package dev.sluice.recipes;

class IndexTest extends IndexContract {

    IndexTest() {
        super(Recipe.of(Index.class));
    }
}
