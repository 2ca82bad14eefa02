package dev.sluice.calls.layout;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a function or constant that no header declares, or that the cross compilers' headers do not have yet: no
 * compiler checks it, so it relies on the system's documentation.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.FIELD})
public @interface Undeclared {
}
