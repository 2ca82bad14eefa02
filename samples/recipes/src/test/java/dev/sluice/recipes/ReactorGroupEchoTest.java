package dev.sluice.recipes;

class ReactorGroupEchoTest extends EchoContract {

    ReactorGroupEchoTest() {
        super(Recipe.of(ReactorGroupEcho.class));
    }
}
