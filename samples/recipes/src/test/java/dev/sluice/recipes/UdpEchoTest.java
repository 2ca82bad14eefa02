package dev.sluice.recipes;

class UdpEchoTest extends UdpEchoContract {

    UdpEchoTest() {
        super(Recipe.of(UdpEcho.class));
    }
}
