package io.multimed.jdbc.frameworks.boot;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** An application that leaves everything to Spring Boot. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class BootApplication {}
