package dev.sluice.wine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Availability;
import dev.sluice.calls.BindingProvider;
import dev.sluice.calls.Bindings;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("windows")
class WineBindingProviderTest {

    @Test
    void isNotChosenUnlessItIsAskedFor() {
        List<BindingProvider> providers = Bindings.providers();
        assertEquals(List.of("wine"), providers.stream().map(BindingProvider::name).toList());
        String chosen = System.clearProperty(Bindings.PROPERTY);
        try {
            assertEquals(Availability.missing("for tests, chosen by name only"), providers.get(0).availability());
        } finally {
            System.setProperty(Bindings.PROPERTY, chosen);
        }
    }
}
