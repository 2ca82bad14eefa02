package dev.sluice.recipes;

class ProactorEchoTest extends EchoContract {

    ProactorEchoTest() {
        super(Recipe.of(ProactorEcho.class));
    }
}
