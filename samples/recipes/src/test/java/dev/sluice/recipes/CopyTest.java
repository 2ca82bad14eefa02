package dev.sluice.recipes;

class CopyTest extends CopyContract {

    CopyTest() {
        super(Recipe.of(Copy.class));
    }
}
