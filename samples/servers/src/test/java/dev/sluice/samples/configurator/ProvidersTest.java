package dev.sluice.samples.configurator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is found beside providers that fail. */
class ProvidersTest {

    /** Found in the tests. */
    interface Kind {

        /** {@return its name} */
        String name();
    }

    /** A provider with a name. */
    public static final class Good implements Kind {

        @Override
        public String name() {
            return "good";
        }
    }

    /** A provider without a name. */
    public static final class Nameless implements Kind {

        @Override
        public String name() {
            return null;
        }
    }

    /** Cannot be made. */
    public static final class Unmade implements Kind {

        private final String name = fail();

        private static String fail() {
            throw new NoClassDefFoundError("absent/Type");
        }

        @Override
        public String name() {
            return name;
        }
    }

    /** Cannot say its name. */
    public static final class Mute implements Kind {

        @Override
        public String name() {
            throw new NoClassDefFoundError("absent/Type");
        }
    }

    /** A provider with the name of an earlier one. */
    public static final class Second implements Kind {

        @Override
        public String name() {
            return "good";
        }
    }

    @Test
    void thoseThatFailAreLeftOut() {
        Map<String, Kind> found = Providers.of(Kind.class, Kind::name);
        assertEquals(Set.of("good"), found.keySet());
        assertEquals(Good.class, found.get("good").getClass());
        assertNotSame(found.get("good"), Providers.of(Kind.class, Kind::name).get("good"));
    }
}
