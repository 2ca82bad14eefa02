package dev.sluice.recipes;

class ProxyTest extends ProxyContract {

    ProxyTest() {
        super(Recipe.of(Proxy.class));
    }
}
