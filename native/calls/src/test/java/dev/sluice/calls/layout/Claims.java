package dev.sluice.calls.layout;

import dev.sluice.calls.Errno;
import dev.sluice.calls.PerSystem;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that one Java class says about C.
 *
 * @param subject the class
 * @param on      where C has it
 * @param headers that C needs for it
 * @param list    one claim per field
 */
record Claims(String subject, On on, List<String> headers, List<Claim> list) {

    /** {@return what the class says, empty if it has no annotation} */
    static Optional<Claims> of(Class<?> type) {
        CStruct struct = type.getAnnotation(CStruct.class);
        CConstants constants = type.getAnnotation(CConstants.class);
        if (struct != null) {
            return Optional.of(of(type, struct.on(), struct.headers(), struct.value()));
        }
        return constants != null
                ? Optional.of(of(type, constants.on(), constants.headers(), null))
                : Optional.empty();
    }

    /** {@return what {@link Errno} says} */
    static Claims ofErrno() {
        return new Claims(Errno.class.getSimpleName(), On.UNIX, List.of("errno.h"), Arrays.stream(Errno.values())
                .filter(error -> error != Errno.UNKNOWN)
                .map(error -> new Claim(error.name(), error.name(), error.number()))
                .toList());
    }

    /** {@return what {@link ExtensionFunction} says, in the parts that C declares an identifier by} */
    static Claims ofExtensionFunctions() {
        return new Claims(ExtensionFunction.class.getSimpleName(), On.WINDOWS, List.of("winsock2.h", "mswsock.h"),
                Arrays.stream(ExtensionFunction.values()).flatMap(Claims::identifier).toList());
    }

    private static Stream<Claim> identifier(ExtensionFunction function) {
        ByteBuffer guid = ByteBuffer.allocate(ExtensionFunction.SIZE).order(ByteOrder.LITTLE_ENDIAN);
        function.writeTo(guid, 0);
        String name = "WSAID_" + function.name().replace("_", "");
        return Stream.of(
                new Claim(function + "_DATA1", "((GUID) " + name + ").Data1", guid.getInt(0)),
                new Claim(function + "_DATA2", "((GUID) " + name + ").Data2", Short.toUnsignedInt(guid.getShort(4))),
                new Claim(function + "_DATA3", "((GUID) " + name + ").Data3", Short.toUnsignedInt(guid.getShort(6))),
                new Claim(function + "_DATA4", "*(long long *) ((GUID) " + name + ").Data4", guid.getLong(8)));
    }

    static List<Field> fields(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()) && Modifier.isPublic(field.getModifiers()))
                .toList();
    }

    /** {@return the same claims with the values of another process, by {@link #key}} */
    Claims with(Map<String, Long> values) {
        return new Claims(subject, on, headers,
                list.stream().map(claim -> claim.with(values.get(key(claim)))).toList());
    }

    /** {@return the same without what this system lacks} */
    Claims ofWhatExists() {
        return new Claims(subject, on, headers,
                list.stream().filter(claim -> claim.value() != PerSystem.NONE).toList());
    }

    String key(Claim claim) {
        return subject + "." + claim.field();
    }

    private static Claims of(Class<?> type, On on, String[] headers, String struct) {
        return new Claims(type.getSimpleName(), on, List.of(headers),
                fields(type).stream()
                        .filter(field -> !field.isAnnotationPresent(Undeclared.class))
                        .map(field -> claim(field, struct))
                        .toList());
    }

    private static Claim claim(Field field, String struct) {
        try {
            return new Claim(field.getName(), expression(field, struct), field.getLong(null));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String expression(Field field, String struct) {
        CName name = field.getAnnotation(CName.class);
        if (struct == null) {
            return name != null ? name.value() : field.getName();
        }
        if (name == null && field.getName().equals("SIZE")) {
            return "sizeof(" + struct + ")";
        }
        String member = name != null ? name.value() : field.getName().toLowerCase(Locale.ROOT);
        return member.startsWith("=") ? member.substring(1) : "offsetof(" + struct + ", " + member + ")";
    }
}
