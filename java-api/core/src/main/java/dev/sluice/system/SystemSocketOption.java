package dev.sluice.system;

import java.net.SocketOption;

/**
 * A socket option that the operating system identifies by level and number.
 *
 * @param name   the name in C
 * @param type   the type of its value
 * @param level  the protocol level
 * @param number the number of the option at that level
 * @param <T>    the type of its value: {@code Boolean} and {@code Integer} are a C {@code int}; {@code SO_LINGER} has a
 *               structure of its own
 */
public record SystemSocketOption<T>(String name, Class<T> type, int level, int number) implements SocketOption<T> {

    @Override
    public String toString() {
        return name;
    }
}
