package dev.sluice.system;

import java.net.SocketOption;

/**
 * A socket option that the operating system knows by level and number.
 *
 * @param name   as in C
 * @param type   of its value
 * @param level  the protocol level
 * @param number the option's number there
 * @param <T>    the type of its value: {@code Boolean} and {@code Integer} are a C {@code int}; {@code SO_LINGER} has
 *               its own form
 */
public record SystemSocketOption<T>(String name, Class<T> type, int level, int number) implements SocketOption<T> {

    @Override
    public String toString() {
        return name;
    }
}
