package dev.sluice.jna;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.sun.jna.Callback;
import com.sun.jna.Library;
import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.NativeImageMetadata;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a native image has to know of this module is in its metadata: the types that JNA maps, and nothing else. */
class NativeImageMetadataTest {

    private final NativeImageMetadata metadata = NativeImageMetadata.of("sluice-native-jna");

    @Test
    void eachTypeThatIsMappedIsListed() throws Exception {
        Set<String> mapped = new TreeSet<>();
        Set<String> proxies = new TreeSet<>();
        for (Class<?> type : NativeImageMetadata.classesAt(CodeLocation.of(JnaBindingProvider.class))) {
            boolean library = type.isInterface() && Library.class.isAssignableFrom(type);
            if (library) {
                proxies.add(type.getName());
            }
            if (library || type.isInterface() && Callback.class.isAssignableFrom(type)
                    || Arrays.stream(type.getDeclaredMethods()).anyMatch(NativeImageMetadataTest::isNative)) {
                mapped.add(type.getName());
            }
        }
        assertFalse(proxies.isEmpty());
        assertEquals(proxies, metadata.proxies());
        assertEquals(mapped, metadata.typesWithAllMethods());
    }

    private static boolean isNative(Method method) {
        return Modifier.isNative(method.getModifiers());
    }

    @Test
    void membersThatAreListedAreThere() throws Exception {
        metadata.requireMembers();
    }
}
