package dev.sluice.calls.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.sluice.calls.Platform;
import dev.sluice.testing.Depth;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Structures are right on machines of either byte order, wherever this runs: what an accessor writes or reads differs
 * between the orders by the bytes of each member, as wide as C says it is, and by nothing else. A write that is wider
 * than its member goes unnoticed only where the lowest byte comes first.
 */
@Tag(Depth.IN_QUICK)
class ByteOrderTest {

    private static final int BEHIND = 16;

    @TestFactory
    Stream<DynamicTest> accessorsTouchEachMemberInItsOwnWidth() throws Exception {
        List<Class<?>> types = LayoutPackage.classes().stream()
                .filter(type -> type.isAnnotationPresent(CStruct.class) && !accessors(type).isEmpty())
                .filter(type -> Set.of(On.UNIX, On.LINUX).contains(type.getAnnotation(CStruct.class).on()))
                .toList();
        assertTrue(types.size() > 10, () -> "only " + types);
        Map<String, Long> widths = widths(types);
        return types.stream().map(type -> dynamicTest(type.getSimpleName(), () -> check(type, widths)));
    }

    /** The kernel describes a ring by many numbers, which are read without an accessor each. */
    @Test
    void ringParametersAreInts() throws Exception {
        assertEquals(Set.of((long) Integer.BYTES), Set.copyOf(widths(List.of(IoUringParams.class)).values()));
    }

    @Test
    void setOfDescriptorsIsInWords() {
        for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
            ByteBuffer memory = ByteBuffer.allocate(FdSet.SIZE).order(order);
            FdSet.set(memory, 0, 3);
            FdSet.set(memory, 0, 64);
            assertEquals(1 << 3, memory.getLong(0), order.toString());
            assertEquals(1, memory.getLong(8), order.toString());
        }
    }

    /** What one field holds for two widths of events: sixteen bits for kernels before 5.9, and half of the 32 since. */
    @Test
    void pollEventsStandWhereTheKernelHasTheirLowerHalf() {
        for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
            ByteBuffer memory = ByteBuffer.allocate(IoUringSqe.SIZE).order(order);
            int events = PollConstants.POLLIN | PollConstants.POLLRDBAND;
            memory.putInt(IoUringSqe.OP_FLAGS, IoUringSqe.pollFlags(events | 1 << 31, order));
            assertEquals(events, memory.getShort(IoUringSqe.OP_FLAGS), order.toString());
            assertEquals((short) (1 << 15), memory.getShort(IoUringSqe.OP_FLAGS + 2), order.toString());
        }
    }

    private static CCompiler compiler() {
        assumeTrue(Platform.CURRENT.isLinux(), "the compiler is asked for structures of Linux");
        Optional<CCompiler> compiler = CCompiler.find("cc", "gcc");
        assumeTrue(compiler.isPresent(), "no cc or gcc on the PATH");
        return compiler.get();
    }

    private static int size(Class<?> type) throws ReflectiveOperationException {
        return (int) type.getField("SIZE").getLong(null);
    }

    private static List<Claim> members(Class<?> type) throws ReflectiveOperationException {
        int size = size(type);
        return Claims.of(type).orElseThrow().ofWhatExists().list().stream()
                // What follows at the end of a structure has no width of its own.
                .filter(claim -> claim.expression().startsWith("offsetof(") && claim.value() < size)
                .toList();
    }

    private static Map<String, Long> widths(List<Class<?>> types) throws Exception {
        CCompiler compiler = compiler();
        List<Claims> widths = new ArrayList<>();
        for (Class<?> type : types) {
            Claims offsets = Claims.of(type).orElseThrow();
            String struct = type.getAnnotation(CStruct.class).value();
            widths.add(new Claims(offsets.subject(), offsets.on(), offsets.headers(), members(type).stream()
                    .map(claim -> new Claim(claim.field(), width(claim, struct), 0)).toList()));
        }
        return compiler.evaluate(widths);
    }

    private static void check(Class<?> type, Map<String, Long> allWidths) throws Exception {
        int size = size(type);
        Claims claims = Claims.of(type).orElseThrow();
        List<Claim> members = members(type);
        Map<String, Long> widths = members.stream()
                .collect(Collectors.toMap(Claim::field, claim -> allWidths.get(claims.key(claim))));
        for (Method accessor : accessors(type)) {
            Image image = new Image(members, widths, size);
            if (accessor.getReturnType() == void.class) {
                ByteBuffer big = image.empty(ByteOrder.BIG_ENDIAN);
                ByteBuffer little = image.empty(ByteOrder.LITTLE_ENDIAN);
                call(accessor, big);
                call(accessor, little);
                assertArrayEquals(image.turned(little.array()), Arrays.copyOf(big.array(), size), accessor.toString());
            } else {
                byte[] random = new byte[size + BEHIND];
                new Random(size).nextBytes(random);
                Arrays.fill(random, size, random.length, (byte) 0x55);
                ByteBuffer big = image.empty(ByteOrder.BIG_ENDIAN).put(0, image.turned(random));
                big.put(size, random, size, BEHIND);
                assertEquals(call(accessor, ByteBuffer.wrap(random).order(ByteOrder.LITTLE_ENDIAN)),
                        call(accessor, big), accessor.toString());
            }
        }
    }

    private static String width(Claim offset, String struct) {
        String member = offset.expression().substring(offset.expression().lastIndexOf(", ") + 2);
        return "sizeof(((" + struct + " *) 0)->" + member;
    }

    private static List<Method> accessors(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getParameterCount() >= 2 && method.getParameterTypes()[0] == ByteBuffer.class
                        && method.getParameterTypes()[1] == int.class)
                // Searches a given number of bytes behind the header.
                .filter(method -> !method.getName().startsWith("find"))
                // An array and not members: see above.
                .filter(method -> type != FdSet.class)
                .toList();
    }

    private static Object call(Method accessor, ByteBuffer memory) throws ReflectiveOperationException {
        Object[] arguments = new Object[accessor.getParameterCount()];
        arguments[0] = memory;
        arguments[1] = 0;
        for (int i = 2; i < arguments.length; i++) {
            Class<?> type = accessor.getParameterTypes()[i];
            arguments[i] = type == long.class ? (Object) (0x0102030405060708L * i)
                    : type == int.class ? (Object) (0x01020304 * i) : (Object) (short) (0x0102 * i);
        }
        return accessor.invoke(null, arguments);
    }

    /** The bytes of a structure. */
    private record Image(List<Claim> members, Map<String, Long> widths, int size) {

        ByteBuffer empty(ByteOrder order) {
            return ByteBuffer.allocate(size + BEHIND).order(order);
        }

        /** {@return the same structure in the other byte order} */
        byte[] turned(byte[] bytes) {
            byte[] turned = Arrays.copyOf(bytes, size);
            for (Claim member : members) {
                int width = widths.get(member.field()).intValue();
                int at = (int) member.value();
                for (int i = 0; width <= Long.BYTES && i < width; i++) {
                    turned[at + i] = bytes[at + width - 1 - i];
                }
            }
            return turned;
        }
    }
}
