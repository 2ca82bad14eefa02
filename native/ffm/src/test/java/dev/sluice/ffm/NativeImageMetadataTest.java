package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.NativeImageMetadata;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a native image has to know of this module is in its metadata: the calls that it links, and nothing else. */
class NativeImageMetadataTest {

    private final NativeImageMetadata metadata = NativeImageMetadata.of("sluice-native-ffm");

    @Test
    void eachDowncallThatIsLinkedIsListed() throws Exception {
        Set<String> linked = new TreeSet<>();
        for (Downcall each : downcalls()) {
            linked.add(entry(each));
        }
        assertTrue(linked.size() > 15, linked::toString);
        assertEquals(String.join("\n", linked), String.join("\n", new TreeSet<>(metadata.entries("returnType"))));
    }

    @Test
    void functionsAreLookedUpInTypesThatAreListed() throws Exception {
        Set<String> families = downcalls().stream().map(each -> each.family().getName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(families, metadata.typesWithAllMethods());
    }

    @Test
    void membersThatAreListedAreThere() throws Exception {
        metadata.requireMembers();
    }

    /** {@return those of all functions in classes of this module, whatever the system} */
    private static List<Downcall> downcalls() throws Exception {
        List<Downcall> found = new ArrayList<>();
        for (Class<?> type : NativeImageMetadata.classesAt(CodeLocation.of(CLibrary.class))) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getType() == ForeignFunction.class) {
                    field.setAccessible(true);
                    found.add((Downcall) ((ForeignFunction) field.get(null)).linkage());
                }
            }
        }
        return found;
    }

    private static String entry(Downcall call) {
        FunctionDescriptor descriptor = call.descriptor();
        List<String> options = new ArrayList<>();
        if (call.capturesCallState()) {
            options.add("\"captureCallState\": true");
        }
        if (call.fixedArguments() > 0) {
            options.add("\"firstVariadicArg\": " + call.fixedArguments());
        }
        return "{\"returnType\": " + descriptor.returnLayout().map(NativeImageMetadataTest::name).orElse("\"void\"")
                + ", \"parameterTypes\": " + descriptor.argumentLayouts().stream().map(NativeImageMetadataTest::name)
                        .collect(Collectors.joining(", ", "[", "]"))
                + (options.isEmpty() ? "" : ", \"options\": {" + String.join(", ", options) + "}") + "}";
    }

    /** {@return the name of a layout that is the same on all systems} */
    private static String name(MemoryLayout layout) {
        return layout.equals(ValueLayout.JAVA_LONG) ? "\"jlong\"" : "\"jint\"";
    }
}
