package dev.sluice.recipes;

class ProactorGroupEchoTest extends EchoContract {

    ProactorGroupEchoTest() {
        super(Recipe.of(ProactorGroupEcho.class));
    }
}
