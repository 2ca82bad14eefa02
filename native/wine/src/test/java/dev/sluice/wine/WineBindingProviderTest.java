package dev.sluice.wine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Availability;
import dev.sluice.calls.BindingProvider;
import dev.sluice.calls.Bindings;
import java.util.List;
import org.junit.jupiter.api.Test;

class WineBindingProviderTest {

    @Test
    void isNotChosenUnlessItIsAskedFor() {
        List<BindingProvider> providers = Bindings.providers();
        assertEquals(List.of("wine"), providers.stream().map(BindingProvider::name).toList());
        assertEquals(Availability.missing("for tests, chosen by name only"), providers.get(0).availability());
    }
}
