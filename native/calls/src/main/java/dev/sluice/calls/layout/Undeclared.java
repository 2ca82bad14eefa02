package dev.sluice.calls.layout;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a function or constant that no header declares, or that those of the cross compilers do not have yet: no
 * compiler checks it, and it rests on the system's documentation.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.FIELD})
public @interface Undeclared {
}
